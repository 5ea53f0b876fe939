import * as z from 'zod'
import { type Pet, petStatuses } from '../../../service/pets/pet.ts'
import { command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Endpoint, type Route, route } from '../routing/route.ts'
import { countView, flagView, int64Text, int64View, numberText, textView } from '../routing/shapes.ts'

const petView = z
  .strictObject({
    id: int64View("The pet's id."),
    name: textView("The animal's name.", 'Rex'),
    categoryId: int64View('The category the animal belongs to.'),
    status: z.enum(petStatuses).optional().meta({ description: 'Absent if the pet has no status.' }),
  })
  .meta({ id: 'Pet' })

function showPet({ id, name, categoryId, status }: Pet): unknown {
  return { id, name, categoryId, status }
}

function petCommand(name: 'addPet' | 'changePet' | 'deletePet', on: Endpoint, about: string): Route {
  return command({ do: name, on, about, schema: petView, show: ({ pet }) => pet && showPet(pet) })
}

/** More than most stores hold, and few enough to read. */
const defaultLimit = 1_000

export const petRoutes: readonly Route[] = [
  route({
    id: 'findPets',
    on: ['GET', '/pets'],
    about: 'Lists pets by ascending id. The call uses no quota.',
    sandbox: 'one',
    query: {
      status: z.enum(petStatuses).optional().meta({ description: 'Only pets with this status.' }),
      after: int64Text('the id of a pet').optional().meta({ description: 'Only pets with a greater id.' }),
      limit: numberText('a number of pets from 1 to 100000', 1, 100_000)
        .optional()
        .meta({ description: 'Maximum number of pets.', default: defaultLimit }),
    },
    answer: {
      about: 'A page of pets.',
      schema: z.strictObject({
        pets: z.array(petView),
        total: countView('Pets in the store, with any status.'),
        more: flagView('Whether more pets follow: pass the last id as `after`.'),
      }),
    },
    serve: ({ world, query: { status, after, limit = defaultLimit } }) => {
      const { pets, more } = world.pets.page(status, after, limit)
      return json({ pets: pets.map(showPet), total: world.pets.size, more })
    },
  }),
  petCommand('addPet', ['POST', '/pets'], 'The new pet.'),
  petCommand('changePet', ['PATCH', '/pets/{id}'], 'The changed pet.'),
  petCommand('deletePet', ['DELETE', '/pets/{id}'], 'The deleted pet.'),
]
