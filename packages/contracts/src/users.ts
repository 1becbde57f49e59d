/**
 * Who the host runs as inside the victim: `agent` is uid 1000, `root` is uid 0 without any capability.
 *
 * Free of zod, like everything the victim's installer imports in every trial: loading zod costs more than
 * a whole installation.
 */
export const users = ['agent', 'root'] as const
export type UserName = (typeof users)[number]

/** Facts about a victim's user that several rooms must agree on. */
export const userFacts: Readonly<Record<UserName, { uid: number; gid: number; home: string }>> = {
  agent: { uid: 1000, gid: 1000, home: '/home/agent' },
  root: { uid: 0, gid: 0, home: '/root' },
}
