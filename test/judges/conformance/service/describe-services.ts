import { describe, expect, test } from 'vitest'
import type { CheckId } from '../../../../src/judges/conformance/checks.ts'
import { checkTraits, type Plan } from './check-service.ts'
import { expectedNotes } from './expected-notes.ts'
import { faultsOfAnimals } from './faults-of-animals.ts'
import { faultsOfCreating } from './faults-of-creating.ts'
import { faultsOfKeys } from './faults-of-keys.ts'
import { faultsOfLimits } from './faults-of-limits.ts'
import { faultsOfLists } from './faults-of-lists.ts'
import { faultsOfRefusals } from './faults-of-refusals.ts'
import { ofAnimals } from './lawful-animals.ts'
import { ofChange } from './lawful-change.ts'
import { ofHeaders } from './lawful-headers.ts'
import { ofLimits } from './lawful-limits.ts'
import { ofPages } from './lawful-pages.ts'

const faults = {
  keys: faultsOfKeys,
  limits: faultsOfLimits,
  lists: faultsOfLists,
  animals: faultsOfAnimals,
  creating: faultsOfCreating,
  refusals: faultsOfRefusals,
}
const lawful = { animals: ofAnimals, pages: ofPages, headers: ofHeaders, limits: ofLimits, change: ofChange }

/** Where the hand-written service differs from pet-mock's assumptions in any case. */
const usualNotes: readonly CheckId[] = [
  'create-refuses-form',
  'list-limit-refused',
  'page-cursor-refused',
  'retry-not-stored',
]

/** Each fault gets the error, or the note, of its check. */
export function describeFaults(plan: Plan): void {
  describe.each(Object.entries(faults))('the fault of %s:', (_, rows) => {
    test.each(Object.entries(rows))(
      '%s',
      async (_name, { traits, finds, spares, exhausts = false, isNote = false }) => {
        const { errors, notes, details, outcome } = await checkTraits(traits, { plan, exhausts })
        const isMild = isNote === true || isNote === plan
        const [id] = finds.split(':')
        expect(isMild ? notes : errors, details.join('\n')).toContain(id)
        if (spares !== undefined) expect(errors, details.join('\n')).not.toContain(spares)
        if (isMild) expect(errors, details.join('\n')).toEqual([])
        if (plan !== 'free') return
        const found = outcome.failed.find(({ check }) => check === id)
        const text = `${found?.request.method} ${found?.request.target} → ${found?.status}: ${found?.detail}`
        expect(`${id}: ${text.slice(0, 140)}`).toBe(finds)
      },
    )
  })
}

/** A lawful service gets no error, and only the notes that are named. */
export function describeLawful(plan: Plan): void {
  describe.each(Object.entries(lawful))('a lawful service, %s:', (_, rows) => {
    test.each(Object.entries(rows))('%s', async (name, { traits, as }) => {
      const { errors, notes, details } = await checkTraits(traits, { ...as, plan })
      expect(details.filter(detail => errors.some(id => detail.startsWith(`${id}:`)))).toEqual([])
      const others = notes.filter(id => ![...usualNotes, ...(expectedNotes[name] ?? [])].includes(id))
      expect(details.filter(detail => others.some(id => detail.startsWith(`${id}:`)))).toEqual([])
    })
  })
}
