export interface LockOptions {
  /** Called once, with the holder's process id, when the lock is not free. */
  readonly onWait?: (pid: number) => void
  readonly pollMs?: number
}

/** Runs `work` while no other process holds the lock file at `path`. The lock of a dead process is taken over. */
export function withLock<T>(path: string, work: () => Promise<T>, options?: LockOptions): Promise<T>
