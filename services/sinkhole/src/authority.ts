// oxlint-disable-next-line import/no-unassigned-import -- the certificates' library needs it to be there before itself
import 'reflect-metadata'
import { createPrivateKey, type KeyObject, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/**
 * Our certificate authority, made anew at every start. Its key exists in this process alone and is never written;
 * victims trust its certificate, and nobody else has a reason to.
 */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const dayMs = 24 * 60 * 60 * 1_000
const lifeDays = 30

export interface KeyAndCertificate {
  readonly key: string
  /** PEM. */
  readonly cert: string
}

export class Authority {
  /** PEM. */
  readonly certificate: string
  readonly #issuer: x509.X509Certificate
  readonly #key: webcrypto.CryptoKey
  /** One for all names: what differs is the certificate. */
  readonly #leaf: webcrypto.CryptoKeyPair
  readonly #leafPem: string
  readonly #validity: { readonly notBefore: Date; readonly notAfter: Date }

  private constructor(
    issuer: x509.X509Certificate,
    key: webcrypto.CryptoKey,
    leaf: webcrypto.CryptoKeyPair,
    leafKey: KeyObject,
  ) {
    this.#issuer = issuer
    this.#key = key
    this.#leaf = leaf
    this.#leafPem = leafKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    this.certificate = `${issuer.toString('pem')}\n`
    this.#validity = { notBefore: issuer.notBefore, notAfter: issuer.notAfter }
  }

  static async create(now: () => number): Promise<Authority> {
    const keys = await webcrypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
    const leaf = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const issuer = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Landfall sinkhole (trusted inside victims only)',
      notBefore: new Date(now() - dayMs),
      notAfter: new Date(now() + lifeDays * dayMs),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    const exported = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey))
    return new Authority(
      issuer,
      keys.privateKey,
      leaf,
      createPrivateKey({ key: exported, format: 'der', type: 'pkcs8' }),
    )
  }

  /** A certificate for one name, or for one address. */
  async issue(subject: { readonly type: 'dns' | 'ip'; readonly value: string }): Promise<KeyAndCertificate> {
    const certificate = await x509.X509CertificateGenerator.create({
      // The name stands in the extension alone: a common name may not be as long as a host name.
      subject: 'CN=Landfall sinkhole',
      issuer: this.#issuer.subject,
      ...this.#validity,
      publicKey: this.#leaf.publicKey,
      signingKey: this.#key,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([subject]),
        await x509.AuthorityKeyIdentifierExtension.create(this.#issuer),
        await x509.SubjectKeyIdentifierExtension.create(this.#leaf.publicKey),
      ],
    })
    return { key: this.#leafPem, cert: `${certificate.toString('pem')}\n` }
  }
}
