import { describe, expect, it } from 'vitest'
import { faultsOfLists } from '../../judges/check/service/faults-of-lists.ts'
import { faultsOfRefusals } from '../../judges/check/service/faults-of-refusals.ts'
import { tokenBucket } from '../../judges/check/service/limiters.ts'
import { serveTraits } from '../../judges/check/service/serve-service.ts'
import { key, type Traits } from '../../judges/check/service/traits.ts'
import { runCommand } from '../../support/run-command.ts'

const traitsOf = (traits: Partial<Traits> | (() => Partial<Traits>) = {}) =>
  typeof traits === 'function' ? traits() : traits

describe('the command, against the hand-written service', { timeout: 60_000 }, () => {
  it('says in its first line which address it checks', async () => {
    const url = await serveTraits({})
    const { code, stdout, stderr } = await runCommand(['check', url, '--key', key])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [first] = stdout.split('\n')
    expect(first).toBe(`Checking ${url}/v1 (added /v1, the base path of the service)`)
    const whole = await runCommand(['check', `${url}/v1/`, '--key', key, '--max-calls', '3'])
    expect(whole.stdout.split('\n')[0]).toBe(`Checking ${url}/v1`)
  })

  it('lists what it did not check, with the reason', async () => {
    const url = await serveTraits({ link: () => '' })
    const { stdout } = await runCommand(['check', url, '--key', key, '--json'])
    const { notChecked, report } = JSON.parse(stdout)
    const line = { id: 'page-continues', reason: 'the service sends no link rel="next"' }
    expect(notChecked).toContainEqual(line)
    expect(report.notes).toContain('Not judged (page-continues): the service sends no link rel="next".')
    const other = await serveTraits({ link: () => '' })
    const text = await runCommand(['check', other, '--key', key])
    expect(text.stdout).toMatch(/^Not judged \([^)]*page-continues[^)]*\): the service sends no/m)
    expect(text.stdout).toMatch(/^Judged +\d+ calls \(plan free, seed 1\)$/m)
  })

  it('accuses no bucket that fills all the time', async () => {
    const url = await serveTraits({ limiter: tokenBucket, quota: { minute: 300, day: 10_000 } })
    const { code } = await runCommand(['check', url, '--key', key, '--plan', 'pro', '--json'])
    expect(code).toBe(0)
  })

  it.each([
    ['the next page loses the filter', faultsOfLists],
    ['the next page repeats an animal', faultsOfLists],
    ['Retry-After of zero', faultsOfRefusals],
  ])('finds: %s', async (name, faults) => {
    const fault = faults[name]
    const url = await serveTraits(traitsOf(fault?.traits))
    const flags = fault?.exhausts ? ['--exhaust', '--max-wait', '3s'] : []
    const { code, stdout } = await runCommand(['check', url, '--key', key, '--json', ...flags])
    expect(code).toBe(1)
    const errors = JSON.parse(stdout).report.findings.filter(
      ({ severity }: { severity: string }) => severity === 'error',
    )
    expect(errors.map(({ id }: { id: string }) => id)).toContain(fault?.finds)
  })

  it('says how long it waits, in seconds', async () => {
    const url = await serveTraits({
      quota: { minute: 60, day: 1_000 },
      retryAfter: () => '2',
      banAfter: undefined,
    })
    const { stderr } = await runCommand(['check', url, '--key', key, '--exhaust', '--max-wait', '3s'])
    // A second more than Retry-After, since services round down.
    expect(stderr).toMatch(/^waiting for 3 s$/m)
    expect(stderr).not.toMatch(/\dms/)
  })
})
