import type { Effect, Rule } from '../../../emulator/rules/rule.ts'
import type { Scenario } from '../../../emulator/worlds/scenario.ts'
import type { EventCommand } from '../../../generated/scenario-fields.ts'
import { type Door, faultName, faultTraits } from '../../../service/call/fault.ts'
import { type Problem, type Problems, problemIf } from '../../fields/problem.ts'
import type { Path } from '../../files/show.ts'
import { settleRule } from '../settle-rules.ts'

const doorNames: Readonly<Record<Door, readonly string[]>> = {
  server: ['pet-mock', 'startPetMock'],
  fetch: ['createPetMock', 'MSW handlers'],
  proxy: ['pet-mock proxy'],
}

/** Rules of a scenario that a door cannot show, those that its events add included. */
export function checkScenarioDoors(
  {
    rules,
    events,
  }: Pick<Scenario, 'rules'> & { readonly events: readonly { readonly change: EventCommand }[] },
  door: Door,
): Problems {
  const added = events.flatMap(({ change }, index) =>
    change.do === 'addRule'
      ? checkDoor(settleRule(change.rule, '').effect, door, ['events', index, 'change', 'rule', 'then'])
      : [],
  )
  return [...checkDoors(rules, door), ...added]
}

/** Rules of the field `rules` that a door cannot show, and the doors that can. */
export function checkDoors(rules: readonly Rule[], door: Door): Problems {
  return rules.flatMap(({ effect }, index) => checkDoor(effect, door, ['rules', index, 'then']))
}

/** What one rule does that a door cannot show. `path` leads to what it does. */
export function checkDoor({ fault, delay, direction, answer }: Effect, door: Door, path: Path): Problems {
  const problems: Problem[] = []
  const check = (field: string, what: string, doors: readonly Door[]) => {
    if (doors.includes(door)) return
    const message = `${doorNames[door].join(' and ')} cannot show ${what}: use ${doors.map(other => doorNames[other].join(', ')).join(' or ')}`
    problems.push({ path: [...path, field], message })
  }
  if (fault !== undefined) check('fault', faultName(fault), faultTraits[faultName(fault)].doors)
  // The emulator answers a call in one step: nothing comes before it.
  const delaysRequest = delay !== undefined && direction === 'request' && answer === undefined && !fault
  if (delaysRequest) check('direction', 'a delay of the request', ['proxy'])
  return problems
}

/** Headers of replies that pet-mock sets itself: framing, marks and CORS. */
export const ownInReplies =
  /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|date|vary|x-pet-mock|preference-applied|x-content-type-options|access-control-.*)$/i

/** Headers of calls that the sender sets itself: target, framing and hop-by-hop (RFC 9110, sections 7.2, 7.6.1, 10.1.1). */
export const ownInCalls =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|te|trailer|expect)$/i

/** A file may not give headers that pet-mock sets itself, and no header twice. */
export function checkHeaders(
  headers: Readonly<Record<string, unknown>> | undefined,
  own: RegExp,
  path: Path,
): Problems {
  const names = Object.keys(headers ?? {})
  const lowered = names.map(name => name.toLowerCase())
  return names.flatMap((name, index) => {
    const at = [...path, name]
    if (own.test(name)) return [{ path: at, message: 'pet-mock sets this header itself' }]
    const isTwin = lowered.indexOf(name.toLowerCase()) < index
    return problemIf(isTwin, at, 'this header is given twice: header names ignore case')
  })
}
