import { exactInt64 } from '../../base/json/int64.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Pet } from '../../service/pets/pet.ts'
import type { CommandOf } from '../scenario/file.ts'
import { type Intent, notFound } from './intent.ts'

export function changePets(world: World, command: CommandOf<'addPet' | 'changePet' | 'deletePet'>): Intent {
  if (command.do === 'addPet') return addPet(world, command)
  const pet = world.pets.get(exactInt64(command.id))
  if (pet === undefined) return notFound(`there is no pet with the id ${command.id}`)
  if (command.do === 'changePet') return changePet(world, pet, command)
  return () => {
    world.pets.delete(pet.id)
    return { pet }
  }
}

function addPet(world: World, { name, categoryId, status }: CommandOf<'addPet'>): Intent {
  const { defaultStatus } = world.scenario.behaviour
  const pet = { name, categoryId: exactInt64(categoryId), status: status ?? defaultStatus }
  return () => ({ pet: world.pets.create(pet) })
}

function changePet(world: World, pet: Pet, { name, categoryId, status }: CommandOf<'changePet'>): Intent {
  const changed: Pet = {
    ...pet,
    name: name ?? pet.name,
    categoryId: exactInt64(categoryId ?? pet.categoryId),
    status: status === undefined ? pet.status : (status ?? undefined),
  }
  return () => {
    world.pets.replace(changed)
    return { pet: changed }
  }
}
