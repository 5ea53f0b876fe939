import { herd } from './traits.ts'
import type { Variations } from './variation.ts'

export const ofChange: Variations = {
  'somebody removes animals': {
    traits: {},
    as: { meanwhile: (service, call) => service.change(7 + 3 * (call % 40), undefined) },
  },
  'somebody adds animals': {
    traits: {},
    as: {
      meanwhile: (service, call) =>
        service.change(500 + call, { id: 500 + call, name: 'New', categoryId: 1, status: 'sold' }),
    },
  },
  'somebody adds animals in front': {
    traits: { order: (one, other) => Number(other.id) - Number(one.id) },
    as: {
      meanwhile: (service, call) =>
        service.change(500 + call, { id: 500 + call, name: 'New', categoryId: 1, status: 'available' }),
    },
  },
  'somebody sells animals': {
    traits: {},
    as: {
      meanwhile: (service, call) => {
        const pet = herd[call % 43]
        if (pet) service.change(pet.id ?? 0, { ...pet, status: call % 2 ? 'sold' : 'pending' })
      },
    },
  },
  'somebody renames an animal': {
    traits: {},
    as: {
      meanwhile: (service, call) =>
        service.change(7, {
          id: 7,
          name: `Name ${Math.floor(call / 9)}`,
          categoryId: 1,
          status: 'available',
        }),
    },
  },
  'a new animal is listed after a second': {
    traits: () => {
      const seen = new Map<unknown, number>()
      return {
        visible: (pets, { at, target }) =>
          pets.filter(({ id }) => {
            const since = seen.get(id) ?? (Number(id) < 1_000 ? 0 : at)
            seen.set(id, since)
            return /pets\/\d/.test(target) || at >= since + (Number(id) < 1_000 ? 0 : 1_000)
          }),
      }
    },
  },
}
