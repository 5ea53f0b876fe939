import { overlay } from '../../control/scenario/extend.ts'
import type { ScenarioFile } from '../../control/scenario/file.ts'
import { shippedScenarios } from '../../control/scenario/shipped.ts'

/** The life of a deprecated operation, as a client meets it. */
export const sunsetMoments = ['today', 'announced', 'brown-out', 'day-before', 'day-after'] as const
export type SunsetMoment = (typeof sunsetMoments)[number]

interface Declaration {
  readonly from: string
  readonly change: ScenarioFile
}

const removedAt = '2030-12-05T00:00:00Z'
/** Only a client that still works is ready. */
const expected: ScenarioFile = { rehearsal: { expects: 'success' } }

const declarations: Readonly<Record<SunsetMoment, Declaration>> = {
  today: {
    from: 'free-plan',
    change: {
      title: 'Today',
      description: 'GET /pets/{petId} works. Its header Sunset names the day of its removal.',
    },
  },
  announced: {
    from: 'deprecated-get-pet',
    change: {
      title: 'The deprecation is announced',
      description: 'GET /pets/{petId} works. Its headers Deprecation and Sunset announce the removal.',
    },
  },
  // It lasts all day, which takes 48 minutes, so that no run outlasts it.
  'brown-out': {
    from: 'brownout',
    change: {
      title: 'A brown-out',
      description: 'As a warning, GET /pets/{petId} is switched off for a day, a month before its removal.',
      clock: { at: '2030-11-05T00:00:00Z' },
      rehearsal: { clock: { scale: 30 } },
      deprecation: {
        removedAt,
        brownouts: [{ from: '2030-11-05T00:00:00Z', to: '2030-11-06T00:00:00Z' }],
      },
    },
  },
  'day-before': {
    from: 'deprecated-get-pet',
    change: {
      title: 'The day before the removal',
      description: 'It is 4 December 2030. GET /pets/{petId} works for the last day.',
      clock: { at: '2030-12-04T00:00:00Z' },
    },
  },
  'day-after': {
    from: 'after-removal',
    change: {
      title: 'The day after the removal',
      description: 'It is 6 December 2030. GET /pets/{petId} returns 404 for every pet.',
    },
  },
}

/** The situations of the preset, in the order of time. */
export function sunsetSituations(): readonly { readonly name: SunsetMoment; readonly file: ScenarioFile }[] {
  return sunsetMoments.map(name => {
    const { from, change } = declarations[name]
    const file = overlay(overlay(shippedScenarios.get(from) ?? {}, change), expected)
    return { name, file }
  })
}
