import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { PlaneConduct, PlaneOperations } from '../../generated/plane-operations.ts'
import type { Ask } from './ask-plane.ts'
import { PetMockError } from './pet-mock-error.ts'

type ExpectableId = PlaneOperations['expectFinding']['body']['id']

/** The findings that a program expects, by sandbox, until it restarts or closes it. */
export function createExpectedFindings(ask: Ask) {
  const bySandbox = new Map<string, Set<ExpectableId>>()
  const idsOf = (sandbox: string) => bySandbox.get(sandbox) ?? new Set()
  const check = async (sandbox: string): Promise<readonly string[]> => {
    const ids = [...idsOf(sandbox)]
    bySandbox.delete(sandbox)
    if (ids.length === 0) return []
    const [report, { keys }] = await Promise.all([
      ask('getConduct', { sandbox }),
      ask('listKeys', { sandbox }),
    ])
    const isBanned = keys.some(({ bannedUntil }) => bannedUntil !== null)
    return ids.flatMap(id => explainMissing(id, sandbox, report, isBanned) ?? [])
  }
  return {
    expect: async (sandbox = defaultSandbox, id: ExpectableId): Promise<void> => {
      bySandbox.set(sandbox, idsOf(sandbox).add(id))
      try {
        await ask('expectFinding', { id }, { sandbox })
      } catch (error) {
        idsOf(sandbox).delete(id)
        throw error
      }
    },
    /** Does what ends expectations. Then rejects if an expected finding of one sandbox, or of any, has not come. */
    end: async <T>(sandbox: string | undefined, act: () => Promise<T>): Promise<T> => {
      const names = sandbox === undefined ? [...bySandbox.keys()] : [sandbox]
      const waiting = names.filter(name => idsOf(name).size > 0)
      // Without expectations, the change is sent at once: later calls wait for it.
      if (waiting.length === 0) return act()
      const checked = await Promise.all(waiting.map(check))
      const done = await act()
      const problems = checked.flat()
      if (problems.length > 0) throw new PetMockError('finding_missing', problems.join('\n'))
      return done
    },
  }
}

function explainMissing(
  id: ExpectableId,
  sandbox: string,
  { expected, findings, unjudged }: PlaneConduct,
  isBanned: boolean,
): string | undefined {
  const known = expected.find(one => one.id === id && one.sandbox === sandbox)
  if (known !== undefined && known.count > 0) return undefined
  const place = sandbox === defaultSandbox ? '' : ` in the sandbox ${sandbox}`
  if (known === undefined)
    return `The expectation of ${id}${place} ended before this program ended it: another client restarted or deleted the sandbox.`
  const open = unjudged.find(({ checks }) => checks.includes(id) && checks.includes('expected-finding'))
  if (open !== undefined) return `Whether the expected finding ${id}${place} came is unknown: ${open.reason}.`
  const others = findings.filter(finding => finding.id !== 'expected-finding').map(finding => finding.id)
  const found = others.length === 0 ? 'no other finding' : `only ${[...new Set(others)].join(', ')}`
  const hint =
    id === 'banned' && isBanned
      ? ' The key is banned, but none of these requests caused the ban. For calls during a ban, expect call-during-ban.'
      : ''
  return `The expected finding ${id}${place} did not come. From request #${known.from} on, pet-mock found ${found}.${hint}`
}
