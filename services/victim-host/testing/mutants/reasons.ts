/** Rules that no fixture can observe, each with the reason. A rule that is noticed must not be listed. */
export const reasons: Readonly<Record<string, string>> = {}
