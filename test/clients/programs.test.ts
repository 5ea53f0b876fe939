import { describe, expect, test } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { programs, wordsOf } from './programs.ts'

describe('the programs that rehearsals run', () => {
  test.each(programs)('%s makes 20 calls on the free plan, without a finding', async program => {
    const log = ['--log-format', 'json']
    const { code, stdout, stderr } = await runCommand(['exec', ...log, '--', ...wordsOf(program)])
    expect([code, stdout], stderr).toEqual([0, '100 pets, now 104\n'])
    const events = stderr.split('\n').map(line => (line === '' ? {} : JSON.parse(line)))
    expect(events.filter(({ event }) => event === 'call')).toHaveLength(20)
  })
})
