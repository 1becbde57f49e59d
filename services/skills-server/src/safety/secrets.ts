/** Things that look like a usable secret. One that says `decoy` on its own line is one of ours. */

const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]+-----/g,
  /\bssh-(?:rsa|ed25519|dss) AAAA[\w+/=]+/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_\w{30,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\bxox[abprs]-[\w-]{10,}/g,
  /\bsk-[\w-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}/g,
  /\b(?:password|passwd|secret|api[_-]?key|token)\s*=\s*['"]?[^\s'"]{8,}/gi,
]

/** What of `text` looks like a secret and is not marked as a decoy. */
export function secretHazards(text: string): string[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].filter((match) => !isMarked(text, match.index)).map(([secret]) => secret),
  )
}

function isMarked(text: string, index: number): boolean {
  const start = text.lastIndexOf('\n', index) + 1
  const end = text.indexOf('\n', index)
  return /decoy/i.test(text.slice(start, end === -1 ? undefined : end))
}
