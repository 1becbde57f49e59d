/** Something in a tree of skills that was left out, and why. Said on stderr, and never fatal. */
export interface Notice {
  /**
   * - `link`, `special`: an entry that is not a regular file. Its skill is served without it
   * - `unreadable`: a file or folder that could not be read
   * - `too-large`: a file, or a skill's archives, beyond a limit
   * - `invalid`: a SKILL.md that is not one. Its folder is no skill
   * - `clash`: a skill whose URI another skill has
   */
  readonly kind: 'link' | 'special' | 'unreadable' | 'too-large' | 'invalid' | 'clash'
  /** Relative to the root, with forward slashes. */
  readonly path: string
  readonly detail: string
}
