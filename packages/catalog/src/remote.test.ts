import { deriveCanary, deriveToken, SinkholeAnswer } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { corpusSkills, fixtures, remoteAnswers } from './index.ts'

const canary = deriveCanary('remote', 'a-trial')
const rows = [...fixtures, ...corpusSkills]

describe('remoteAnswers', () => {
  it('stamps path and body with the tokens of the trial', () => {
    const row = corpusSkills.find(({ id }) => id === 'code-review-remote')
    const [answer, ...more] = row === undefined ? [] : remoteAnswers(row, canary)
    expect(more).toEqual([])
    expect(answer).toMatchObject({
      host: 'sinkhole.lab',
      path: `/review-tools/${deriveToken(canary, 'code-review-remote', 'sent')}/setup.sh`,
      status: 200,
    })
    expect(answer?.body).toMatch(/^#!\/bin\/sh\n/)
    expect(row && remoteAnswers(row, deriveCanary('remote', 'another'))[0]?.path).not.toBe(answer?.path)
  })

  it('gives answers that the sinkhole takes, for the addresses that the steps name', () => {
    for (const row of rows) {
      for (const answer of remoteAnswers(row, canary)) {
        expect(SinkholeAnswer.parse(answer)).toEqual(answer)
        expect(answer.path + answer.body).not.toContain('{{')
      }
    }
    for (const { steps, remote = [] } of corpusSkills) {
      const named = steps.flatMap(({ run }) => run.match(/https?:\/\/[^ "']+/g) ?? [])
      expect(named.toSorted()).toEqual(remote.map(({ host, path }) => `http://${host}${path}`).toSorted())
    }
  })

  it('is empty for rows whose payload names no address', () => {
    expect(rows.filter((row) => remoteAnswers(row, canary).length > 0).map(({ id }) => id)).toEqual([
      'code-review-remote',
    ])
  })
})
