import { expect, test } from 'vitest'
import { hostileForms, legalForms } from '../../src/service/limits/retry-after.ts'
import { describeDoors } from '../support/doors.ts'
import { noon, scenarioOf } from '../support/scenarios.ts'

const until = Math.floor(noon / 1_000) * 1_000 + 60_000
const iso = new Date(until).toISOString().replace('.000Z', 'Z')
const imf = new Date(until).toUTCString()

/** The values of `Retry-After`; two lines have a comma. */
const written: Readonly<Record<string, string | undefined>> = {
  seconds: '60',
  'http-date': imf,
  'rfc850-date': expect.stringMatching(/^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/),
  'asctime-date': expect.stringMatching(/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/),
  absent: undefined,
  zero: '0',
  negative: '-60',
  decimal: '60.5',
  huge: '99999999999',
  'iso-date': iso,
  garbage: 'soon',
}
const forms = [...legalForms, ...hostileForms.filter(form => form !== 'twice')]
const tiny = { plan: 'free', limits: { minute: 1 } } as const
const keys = { 'demo-free': tiny, 'demo-pro': tiny }

describeDoors('the form of Retry-After', open => {
  test('each refusal of a key has the next form, injected ones too', async () => {
    const rules = [
      { match: { method: 'POST' }, then: { status: 429 } },
      { match: { method: 'PUT' }, then: { status: 429, headers: { 'Retry-After': 7 } } },
    ] as const
    const scenario = scenarioOf({ keys, bans: 'off', limits: { retryAfter: forms }, rules })
    const { send } = await open({ scenario, keepsContract: false })
    const pro = { key: 'demo-pro' }
    expect((await send({ ...pro, method: 'POST', body: '{}' })).headers['retry-after']).toBe(written.seconds)
    const found = []
    await send()
    for (const _ of forms) found.push((await send()).headers['retry-after'])
    expect(found).toEqual(forms.map(form => written[form]))
    expect((await send()).headers['retry-after']).toBe(written.seconds)
    // The other key is at its second refusal.
    expect((await send(pro)).headers['retry-after']).toBe(written['http-date'])
  })

  test('a rule with a header of its own keeps it, and takes no turn', async () => {
    const rules = [{ when: { first: 1 }, then: { status: 429, headers: { 'Retry-After': 7 } } }] as const
    const limits = { retryAfter: ['twice', 'zero'] } as const
    const { send } = await open({
      scenario: scenarioOf({ keys, bans: 'off', limits, rules }),
      keepsContract: false,
    })
    expect((await send()).headers['retry-after']).toBe('7')
    // A client that knows of one value only has the first line or the last.
    expect((await send()).headers['retry-after']).toMatch(/^60(, 60)?$/)
    expect((await send()).headers['retry-after']).toBe('0')
  })

  test('a ban has the form, too', async () => {
    const scenario = scenarioOf({ keys, bans: { after: 1 }, limits: { retryAfter: 'garbage' } })
    const { send } = await open({ scenario, keepsContract: false })
    await send()
    for (const _ of [1, 2]) expect((await send()).headers['retry-after']).toBe('soon')
  })
})
