import { type Constraint, choices, durations } from '../../../base/text/constraint.ts'
import { durationPattern } from '../../../base/time/duration.ts'
import { clockScales } from '../../../emulator/worlds/constraints.ts'
import { field, itemMap, list } from '../../fields/field.ts'
import { findingIds } from './finding-ids.ts'

/* What a scenario expects of a client that meets it. It decides verdicts, not answers: no world has it. */

const recoveries = durations('none or a duration above 0, such as 60s', 1)
const recoveriesOrNone: Constraint = {
  ...recoveries,
  accepts: value => value === 'none' || recoveries.accepts(value),
  schema: { type: 'string', anyOf: [{ const: 'none' }, { pattern: durationPattern }] },
}

const onlyTrue: Constraint = {
  type: 'choice',
  expected: 'true (for a clock that runs, give a scale)',
  accepts: value => value === true,
  schema: { const: true },
}

export const rehearsedConduct = itemMap({
  allow: field(list(choices(...findingIds)), 'Findings that do not fail the client here. Default: none.', [
    ['banned', 'early-retry'],
  ]),
  forbid: field(
    list(choices(...findingIds)),
    'Findings that fail the client here, whatever their severity. Default: none.',
    [['duplicate-create']],
  ),
  failOn: field(
    choices('error', 'warning', 'never'),
    'The least severity of a finding that fails the client.',
    ['warning'],
    { default: 'error' },
  ),
})

export const rehearsedClock = itemMap(
  {
    scale: field(clockScales, 'The speed of the clock: 30 is 30 times real time.', [30]),
    frozen: field(onlyTrue, 'Freezes the clock.', [true]),
  },
  { how: 'oneOf', names: ['scale', 'frozen'], expected: 'either scale, a number, or frozen: true' },
)

export const rehearsal = itemMap({
  expects: field(
    choices('success', 'failure', 'either'),
    "How the client's command should end: success is exit code 0, failure any other.",
    ['success'],
    { default: 'either' },
  ),
  recovers: field(
    recoveriesOrNone,
    "How soon a call must succeed once the situation allows it, in the emulator's time. With none, it need not.",
    ['60s'],
    { default: 'none' },
  ),
  begins: field(
    choices('as-declared', 'middle'),
    'When limits, events and rules with `after` begin: after as many calls as they declare, or in the middle of the calls that the client makes when nothing disturbs it, if that is earlier.',
    ['middle'],
    { default: 'as-declared' },
  ),
  conduct: field(rehearsedConduct, 'Which findings about conduct fail the client.', [
    { allow: ['banned'], failOn: 'error' },
  ]),
  clock: field(
    rehearsedClock,
    'The clock of the rehearsal. Default: the own clock if it is frozen or scaled, else a scale at which the longest wait takes two seconds.',
    [{ scale: 30 }, { frozen: true }],
  ),
})
