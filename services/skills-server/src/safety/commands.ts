/** Commands that destroy, stop or change a machine, or that bring something from elsewhere. */

const systemPath = String.raw`/(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|var|root|home|opt)?(?:[/\s'"]|$)`

const denied: readonly RegExp[] = [
  /\brm\s+(?:-[\w-]+\s+)*-[\w-]*(?:[rRf]|recursive|force)/,
  /\b(?:reboot|shutdown|poweroff|halt|telinit)\b/,
  /\binit\s+[06]\b/,
  /\b(?:mkfs|wipefs|fdisk|parted|mkswap|swapoff|shred)\b/,
  /\bdd\b[^\n]*\bof=/,
  />\s*\/dev\/(?!null\b|stdout\b|stderr\b|tty\b)/,
  /\b(?:curl|wget|ncat|socat|telnet|sftp|scp|rsync|aria2c)\b/,
  /\bnc\s+-/,
  /\/dev\/(?:tcp|udp)\//,
  new RegExp(String.raw`\b(?:chmod|chown|chgrp|chattr)\s+[^\n]*\s` + systemPath),
  /([\w:]+)\s*\(\s*\)\s*\{[^}]*\1\s*\|\s*\1\s*&/,
  /\|\s*(?:sudo\s+)?(?:ba|z|da|k|c)?sh\b/,
  /\b(?:sudo|doas|pkexec)\b/,
  /\bkill(?:all5)?\s+(?:-\w+\s+)*-1\b/,
  /\b(?:iptables|nft|insmod|modprobe|rmmod|sysctl|systemctl|crontab|useradd|usermod|visudo)\b/,
  /\bfind\b[^\n]*-delete\b/,
  /\bgit\s+push\b/,
  /\b(?:docker|podman|kubectl|nsenter|unshare|chroot)\s/,
]

/**
 * The one request that a payload may make, word for word: a script of the lab's own sinkhole, which exists on the
 * network of a victim alone, with one token as its argument.
 */
const sinkholeRequest =
  /\bcurl -fsS http:\/\/sinkhole\.lab\/[\w/-]*(?:\{\{canary:[a-z-]+\}\})?[\w/.-]*(?: \| sh -s -- (?:LFC-[0-9a-f]{32}|\{\{canary:[a-z-]+\}\}))?$/gm

/** What of `text` looks like a denied command. */
export function commandHazards(text: string): string[] {
  const rest = text.replaceAll(sinkholeRequest, '')
  return denied.flatMap((pattern) => pattern.exec(rest)?.[0] ?? [])
}
