/** What the user answers. An input, never a question: a test has nobody to ask. */
export const consents = ['none', 'once', 'always'] as const
export type Consent = (typeof consents)[number]

export interface Question {
  readonly what: 'load' | 'run' | 'activate' | 'cross-origin'
  readonly server: string
  readonly uri: string
}

/** `once` says yes to the first question and no to all that follow. */
export class User {
  readonly #consent: Consent
  readonly asked: Question[] = []

  constructor(consent: Consent) {
    this.#consent = consent
  }

  approves(question: Question): boolean {
    this.asked.push(question)
    return this.#consent === 'always' || (this.#consent === 'once' && this.asked.length === 1)
  }
}
