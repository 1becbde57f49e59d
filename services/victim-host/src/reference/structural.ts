/** Clauses that no switch stands for, each with what fulfils it: the host has no code that could do otherwise. */
export const structural: Readonly<Record<string, string>> = {
  H3: 'a skill comes from skills/list or skills/get and from nothing else (stable.ts)',
  H14: 'a skill that no listing names is loaded by its URI with --uri (stable.ts)',
  H15: 'a read is a read: only `load` asks for an approval and opens a window (host.ts)',
  iH2: 'an absent or partial index is an answer like any other; it proves nothing (index-revision.ts)',
  iH6: 'tar.gz and zip are both read, with libraries (archive/)',
}
