import { asSentence, json, refusal } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

const savedView = view.named(
  'SavedState',
  view.object({
    file: view.text('The path of the state file.', '/home/me/pets.json'),
    bytes: view.count('Its size.'),
  }),
)

export const stateRoutes: readonly Route[] = [
  route({
    id: 'saveState',
    on: ['POST', '/state/save'],
    about:
      'Saves the state to the file of --state. Returns when the effects of all earlier calls are on disk.',
    sandbox: 'none',
    refusals: ['state_off', 'state_not_saved'],
    answer: { about: 'The saved file.', schema: savedView },
    serve: async ({ controls: { saveState } }) => {
      if (saveState === undefined)
        return refusal('state_off', 'This server saves no state. Start it with --state FILE.')
      const saved = await saveState()
      if (!saved.ok) return refusal('state_not_saved', asSentence(saved.problem))
      const { file, bytes } = saved
      return json({ file, bytes })
    },
  }),
]
