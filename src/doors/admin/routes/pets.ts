import * as z from 'zod'
import { type Pet, petStatuses } from '../../../service/pets/pet.ts'
import { command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Route, worldRoute } from '../routing/route.ts'
import { countView, int64Text, int64View, numberText } from '../routing/shapes.ts'

const petView = z
  .strictObject({
    id: int64View("The pet's id."),
    name: z.string().meta({ description: "The animal's name.", examples: ['Rex'] }),
    categoryId: int64View('The category the animal belongs to.'),
    status: z.enum(petStatuses).optional().meta({ description: 'Absent: it has none.' }),
  })
  .meta({ id: 'Pet' })

function showPet({ id, name, categoryId, status }: Pet): unknown {
  return { id, name, categoryId, status }
}

type PetCommandName = 'addPet' | 'changePet' | 'deletePet'

function petCommand(name: PetCommandName, method: Route['method'], path: string, about: string): Route {
  const isNew = name === 'addPet'
  return command({
    id: name,
    method,
    path,
    tag: 'Pets',
    do: name,
    refusals: isNew ? [] : ['not_found'],
    answer: { about, schema: petView, status: isNew ? 201 : 200 },
    show: ({ pet }) => pet && showPet(pet),
  })
}

/** Unless it is said: more than most stores hold, and not so many that an answer cannot be read. */
const usualLimit = 1_000

export const petRoutes: readonly Route[] = [
  worldRoute({
    id: 'findPets',
    method: 'GET',
    path: '/pets',
    tag: 'Pets',
    about: 'Lists pets by ascending id, with no call counted.',
    query: {
      status: z.enum(petStatuses).optional().meta({ description: 'Only those of this status.' }),
      after: int64Text('the id of a pet').optional().meta({ description: 'Only those with a greater id.' }),
      limit: numberText('a number of pets from 1 to 100000', 1, 100_000)
        .optional()
        .meta({ description: 'At most so many.', default: usualLimit }),
    },
    answer: {
      about: 'Pets; `total` is how many there are in the store, of any status.',
      schema: z.strictObject({
        pets: z.array(petView),
        total: countView('Pets in the store.'),
        more: z.boolean().meta({ description: 'Whether more follow: ask for those after the last id.' }),
      }),
    },
    serve: ({ pets: store }, { query: { status, after, limit = usualLimit } }) => {
      const { pets, more } = store.page(status, after, limit)
      return json({ pets: pets.map(showPet), total: store.size, more })
    },
  }),
  petCommand('addPet', 'POST', '/pets', 'The new pet.'),
  petCommand('changePet', 'PATCH', '/pets/{id}', 'The pet as it is now.'),
  petCommand('deletePet', 'DELETE', '/pets/{id}', 'The pet as it was.'),
]
