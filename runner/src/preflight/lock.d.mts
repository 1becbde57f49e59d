export interface LockOptions {
  /** Called once, with the holder's process id, when the lock is not free. */
  readonly onWait?: (pid: number) => void
  readonly pollMs?: number
}

export interface HeldLock {
  /** Makes a child process the holder: the lock then stays while the child works, even when this process is killed. */
  handTo(pid: number): Promise<void>
}

/** Runs `work` while no other process holds the lock file at `path`. The lock of a dead process is taken over. */
export function withLock<T>(path: string, work: (lock: HeldLock) => Promise<T>, options?: LockOptions): Promise<T>
