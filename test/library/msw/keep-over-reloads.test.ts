import { afterEach, expect, it, vi } from 'vitest'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import { keepOverReloads, type Page } from '../../../src/library/msw/keep-over-reloads.ts'
import { scenarioOf } from '../../support/scenarios.ts'

/** A tab of 5 MB, of which a page at a time is shown. */
function openTab() {
  const storage = new Map<string, string>()
  let listeners = new Set<() => void>()
  const page: Page = {
    sessionStorage: {
      getItem: name => storage.get(name) ?? null,
      setItem: (name, text) => {
        if (text.length > 5_000_000)
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
        storage.set(name, text)
      },
      removeItem: name => storage.delete(name),
    },
    addEventListener: (_type, listener) => listeners.add(listener),
    removeEventListener: (_type, listener) => listeners.delete(listener),
  }
  const reload = () => {
    for (const listener of listeners) listener()
    listeners = new Set()
  }
  return { page, storage, reload }
}

const load = (page: Page, options = '{}', count = 3) => {
  const emulator = createEmulator({ scenario: scenarioOf({ pets: { count } }), startedAt: Date.now() })
  const end = keepOverReloads('pet-mock', options, emulator.sandboxes, page)
  return { emulator, end }
}

const addPet = ({ sandboxes }: Emulator) =>
  sandboxes.default.pets.create({ name: 'Rex', categoryId: 1, status: undefined })
const countPets = ({ sandboxes }: Emulator) => sandboxes.default.pets.size

afterEach(() => {
  vi.restoreAllMocks()
})

it('what is kept lies in the storage only between two pages', () => {
  const { page, storage, reload } = openTab()
  addPet(load(page).emulator)
  expect(storage.size).toBe(0)
  reload()
  expect(storage.size).toBe(1)
  const { emulator } = load(page)
  expect([countPets(emulator), storage.size]).toEqual([4, 0])
})

it('what began from other options is left behind', () => {
  const { page, reload } = openTab()
  addPet(load(page, '{"scenario":"ban"}').emulator)
  reload()
  expect(countPets(load(page, '{"scenario":"slow"}').emulator)).toBe(3)
})

it('once it is ended, nothing is kept', () => {
  const { page, storage, reload } = openTab()
  load(page).end()
  reload()
  expect(storage.size).toBe(0)
})

it('what is too large is not kept, and a message says so', () => {
  const { page, reload } = openTab()
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  load(page, '{}', 100_000)
  reload()
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(
      /^pet-mock: the next page starts from the scenario, since \d+ kB of state cannot be stored \(QuotaExceededError/,
    ),
  )
})

it.each(['{', 'null', '{"options":"{}"}', '{"options":"{}","snapshot":{"version":1}}'])(
  'what cannot be read is told, and changes nothing: %s',
  text => {
    const { page, storage } = openTab()
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    storage.set('pet-mock', text)
    expect(countPets(load(page).emulator)).toBe(3)
    expect(warn).toHaveBeenCalledOnce()
  },
)

it('what another version of pet-mock has kept is left behind', () => {
  const { page, storage } = openTab()
  storage.set('pet-mock', '{"options":"{}","snapshot":{"version":99}}')
  expect(countPets(load(page).emulator)).toBe(3)
})
