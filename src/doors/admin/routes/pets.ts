import { anyText } from '../../../base/text/constraint.ts'
import { type Pet, petStatuses, readExtra } from '../../../service/pets/pet.ts'
import type { PetStore } from '../../../service/pets/store.ts'
import { json } from '../routing/replies.ts'
import { choiceField, int64Field, numbersOrDigits, optional, textField } from '../routing/request-fields.ts'
import { command, type Route, route } from '../routing/route.ts'
import { finishInTurns } from '../routing/turns.ts'
import * as view from '../routing/views.ts'

const shown = view.answerOf<Pet>(
  'Pet',
  {
    id: [view.int64("The pet's id."), ({ id }) => id],
    name: [view.text("The animal's name.", 'Rex'), ({ name }) => name],
    categoryId: [view.int64('The category the animal belongs to.'), ({ categoryId }) => categoryId],
  },
  {
    status: [view.choice(petStatuses, 'Absent if the pet has no status.'), ({ status }) => status],
    extra: [
      view.of('object', 'The fields of pets.yaml that the specification does not name; absent without any.'),
      ({ extra }) => extra && readExtra(extra),
    ],
  },
)

const answer = {
  schema: shown.schema,
  show: ({ pet }) => pet && shown.show(pet),
} satisfies Partial<Parameters<typeof command>[0]>

/** More than most stores hold, and few enough to read. */
const defaultLimit = 1_000
const pageSizes = numbersOrDigits('a number of pets from 1 to 100000', 1, 100_000)

/** Looks through the store a few pets at a time, until a page is full and one more pet is found. */
function* findByName(store: PetStore, name: string, ...page: Parameters<PetStore['page']>) {
  const [status, after, limit] = page
  const wanted = name.toLowerCase()
  const found: Pet[] = []
  let place = after
  for (;;) {
    const { pets, more } = store.page(status, place, petsAtOnce)
    found.push(...pets.filter(pet => pet.name.toLowerCase().includes(wanted)))
    if (found.length > limit || !more) return { pets: found.slice(0, limit), more: found.length > limit }
    place = pets.at(-1)?.id
    yield undefined
  }
}

/** They take less than a tenth of a millisecond. */
const petsAtOnce = 500

export const petRoutes: readonly Route[] = [
  route({
    id: 'listPets',
    on: ['GET', '/pets'],
    about: 'Lists pets by ascending id. The call uses no quota.',
    sandbox: 'one',
    query: {
      status: choiceField(petStatuses, 'Only pets with this status.'),
      name: textField(anyText, 'Only pets whose name has this text, in any case of letters.', 'rex'),
      after: int64Field('the id of a pet', 'Only pets with a greater id.'),
      limit: { ...optional(pageSizes, Number, 'Maximum number of pets.'), default: defaultLimit },
    },
    answer: {
      about: 'A page of pets.',
      schema: view.object({
        pets: view.list(shown.schema),
        total: view.count('Pets in the store, with any status.'),
        more: view.flag('Whether more pets follow: pass the last id as `after`.'),
      }),
    },
    serve: async ({ world, query: { status, name, after, limit = defaultLimit }, waiting }) => {
      const { pets, more } =
        name === undefined
          ? world.pets.page(status, after, limit)
          : await finishInTurns(findByName(world.pets, name, status, after, limit), waiting)
      return json({ pets: pets.map(shown.show), total: world.pets.size, more })
    },
  }),
  command({ do: 'addPet', on: ['POST', '/pets'], about: 'The new pet.', ...answer }),
  command({ do: 'changePet', on: ['PATCH', '/pets/{id}'], about: 'The changed pet.', ...answer }),
  command({ do: 'deletePet', on: ['DELETE', '/pets/{id}'], about: 'The deleted pet.', ...answer }),
]
