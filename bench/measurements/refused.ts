import type { SentCall } from '../load/load.ts'
import type { Bench, Measurement, Outcome } from '../measurement.ts'
import { petMockWith } from '../servers/pet-mock.ts'
import { besideBare } from './beside-bare.ts'
import { listCall } from './volleys.ts'

export const refused: Measurement = {
  name: 'refused',
  about: 'calls that are answered with 401, 404 and 429 in turn, beside a bare server',
  needsPeers: false,
  run,
}

async function run(bench: Bench): Promise<Outcome> {
  const most = 1_000_000_000
  const petMock = await petMockWith(bench, 'refused', {
    // A ban would answer 403 after ten calls.
    bans: { after: most },
    plans: { none: { minute: most, day: 1 } },
    keys: { spent: { plan: 'none', used: { day: 1 } } },
  })
  const list = listCall(petMock)
  const calls: readonly SentCall[] = [
    { ...list, key: 'nobody' },
    { ...list, target: '/v1/pets/999999' },
    { ...list, key: 'spent' },
  ]
  return besideBare(bench, {
    title: 'Refused: 401, 404 and 429',
    notes: [
      'As above: in turn a key that nobody has (401), a pet that does not exist (404), and a key whose quota is used up (429). Strikes count; bans begin after more calls than are made.',
    ],
    speed: 'refused calls a second',
    petMock,
    calls,
    recorded: calls,
    refused: true,
    limit: { goal: 0.85 },
  })
}
