/** Rules that no fixture can observe, each with the reason. A rule that is noticed must not be listed. */
export const reasons: Readonly<Record<string, string>> = {
  H1: 'the server of every fixture declares the extension; a test of the rule has one that does not',
  H6: 'a trial has one server, so that no URI is stated by two; a test of the rule has two',
  H29: 'no fixture states other digests for a URI later; a test of the rule does',
  H31: 'nothing but the host writes to its cache in a trial; a test of the rule changes a file of it',
}
