import { Broken } from '../lane.ts'
import { ask } from '../wire/connection.ts'
import { isPet } from './schemas.ts'

const mostKept = 1_000
const mostSandboxes = 1_000

interface Sandbox {
  readonly name: string
  readonly pets: number
  readonly keys: number
  readonly requests: number
}

interface Pets {
  readonly pets: readonly { readonly id: number | string }[]
  readonly total: number
}

/** Throws Broken if the store, the journals or the tables of keys of a server contradict themselves or grow beyond bounds. */
export async function expectState(port: number): Promise<void> {
  const { sandboxes } = await read<{ readonly sandboxes: readonly Sandbox[] }>(port, '/__admin/sandboxes')
  if (sandboxes.length > mostSandboxes) throw new Broken(`${sandboxes.length} sandboxes`)
  for (const { name, requests } of sandboxes)
    if (requests > mostKept) throw new Broken(`The journal of ${name} keeps ${requests} calls`)
  const { pets, total } = await read<Pets>(port, '/__admin/pets?limit=100000')
  if (pets.length !== total) throw new Broken(`${pets.length} pets are listed of ${total}`)
  const stored = sandboxes.find(({ name }) => name === 'default')?.pets
  if (stored !== total) throw new Broken(`The sandbox counts ${stored} pets, the store ${total}`)
  let last = -1n
  for (const pet of pets) {
    // The plane writes ids beyond 2^53 as strings.
    const id = BigInt(pet.id)
    if (id <= last) throw new Broken(`The pet ${id} follows ${last}`)
    if (typeof pet.id === 'number' && !isPet(withNumbers(pet)))
      throw new Broken(`Not a Pet: ${JSON.stringify(pet)}`)
    last = id
  }
}

function withNumbers(pet: object): object {
  return 'categoryId' in pet ? { ...pet, categoryId: Number(pet.categoryId) } : pet
}

async function read<T>(port: number, target: string): Promise<T> {
  const { status, text } = await ask(port, 'GET', target)
  if (status !== 200) throw new Broken(`GET ${target} answered ${status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}
