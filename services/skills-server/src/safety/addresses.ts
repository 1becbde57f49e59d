/** Addresses: everything that names a machine must name one of the lab, this machine, or a reserved name. */

const labHosts = new Set(['skills-server', 'observer', 'sinkhole', 'localhost', '127.0.0.1', '[::1]', '0.0.0.0'])
/** The outside world of a victim. It answers plain HTTP, so any other way to it is a mistake. */
const sinkholeUrl = /^http:\/\/sinkhole\.lab$/
/** A share of nobody: the Windows fixture needs a network path, and this name belongs to no machine. */
const labShares = new Set(['host'])
/** Names that resolve nowhere (RFC 2606, RFC 6761). */
const reserved = /(?:^|\.)(?:example|invalid|test|localhost)$/

const urlHost = /\b[a-z][a-z0-9+.-]*:\/\/(?:[^\s/@'"]*@)?(\[[0-9a-f:.]+\]|[^\s/:'"?#)>\]]*)/gi
const skillScheme = /^skill:\/\//i
const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g
const ipv6 =
  /(?<![0-9a-f:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![0-9a-f:])|(?<![0-9a-f:])[0-9a-f]{2,4}:(?::[0-9a-f]{1,4}){1,6}/gi
/** Names without a scheme. Top-level domains that double as file extensions (.sh, .md, .py) are left to the scheme. */
const domain =
  /\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|io|dev|ai|app|co|gov|edu|info|biz|cloud|xyz|me|us|uk|de|cn|ru|onion)\b/gi
const share = /\\\\([a-z0-9.-]+)\\/gi

export function addressHazards(text: string): string[] {
  const urls = [...text.matchAll(urlHost)]
    .filter(([url, host = '']) => !skillScheme.test(url) && !sinkholeUrl.test(url) && !isLab(host))
    .map(([url]) => url)
  const plain = [ipv4, ipv6, domain].flatMap((pattern) => text.match(pattern) ?? []).filter((host) => !isLab(host))
  const shares = [...text.matchAll(share)]
    .filter(([, host = '']) => !labShares.has(host.toLowerCase()))
    .map(([all]) => all)
  return [...urls, ...plain, ...shares]
}

function isLab(host: string): boolean {
  const name = host.toLowerCase()
  return name === '' || labHosts.has(name) || reserved.test(name)
}
