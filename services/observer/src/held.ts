/**
 * What the observer keeps of a victim for as long as it watches: descriptors, never paths.
 */
export interface HeldMount {
  /** Where the mount stands in the victim, path bytes in latin1. */
  readonly key: string
  readonly fd: number
  readonly kind: 'directory' | 'file'
  /** Mount id of the kernel, 0 when it does not tell. */
  readonly id: number
  readonly dev: number
  /** An overlay: its files may be those of an image's layers, which other victims have too. */
  readonly overlay?: boolean
}

export interface HeldRoot extends Disposable {
  readonly pid: number
  /** The root first. */
  readonly mounts: readonly HeldMount[]
  /** Every mount point below the root, held or not. The walk of the mount around it leaves it out, before and after. */
  readonly points: ReadonlySet<string>
}
