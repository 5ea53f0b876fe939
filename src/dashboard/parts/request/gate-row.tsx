import { planeGates } from '../../../generated/plane-operations.ts'
import { toneOf } from '../../design/badge.tsx'

type Gate = (typeof planeGates)[number]

const names: Readonly<Record<Gate, string>> = {
  host: 'Host',
  preflight: 'Preflight',
  api: 'Base path',
  key: 'Key',
  ban: 'Ban',
  limit: 'Limit',
  prefer: 'Prefer',
  rule: 'Rules',
  route: 'Route',
  operation: 'Operation',
  failure: 'Failure',
}

/** The gates in their order: those that the call passed, and the one that decided. */
export function GateRow({ gate, status }: { readonly gate: Gate; readonly status: number }) {
  const decided = planeGates.indexOf(gate)
  const shown = planeGates.filter(one => one !== 'failure' || gate === 'failure')
  return (
    <ol class="gates" aria-label="Gates">
      {shown.map((one, index) => {
        const state = index < decided ? 'passed' : index === decided ? 'decided' : 'rest'
        return (
          <li key={one} data-state={state} data-tone={state === 'decided' ? toneOf(status) : undefined}>
            {names[one]}
            <span class="visually-hidden">{words[state]}</span>
          </li>
        )
      })}
    </ol>
  )
}

const words = { passed: ': passed', decided: ': decided', rest: ': did not decide' }
