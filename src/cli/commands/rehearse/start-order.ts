import type { ScenarioFile } from '../../../control/scenario/file.ts'

/**
 * Puts the situations with delays first: delays take real time on any clock, so they would end last. The others keep their
 * order.
 */
export function inStartOrder<One extends { readonly scenario: ScenarioFile }>(
  situations: readonly One[],
): readonly One[] {
  const isSlow = ({ scenario }: One) =>
    (scenario.rules ?? []).some(({ then }) => then?.delay != null || isSlowFault(then?.fault))
  return [...situations.filter(isSlow), ...situations.filter(one => !isSlow(one))]
}

function isSlowFault(fault: unknown): boolean {
  const name = typeof fault === 'object' && fault !== null ? Object.keys(fault)[0] : fault
  return name === 'slow' || name === 'hang' || name === 'slow-close'
}
