import { Pages } from '../../service/pets/list-pets.ts'
import type { Scenario } from './scenario.ts'

/** The lists of a scenario's pets. Worlds share them until they change their pets: a thousand sandboxes touch little memory. */
export class SharedPages {
  #last: { readonly scenario: Scenario; readonly pages: Pages } | undefined

  of(scenario: Scenario): Pages {
    if (this.#last?.scenario !== scenario)
      this.#last = { scenario, pages: new Pages(scenario.pets, scenario.behaviour) }
    return this.#last.pages
  }
}
