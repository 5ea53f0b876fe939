import { checkOptions, commonNames } from '../testing/check-options.ts'
import { inProcess } from '../testing/in-process.ts'
import type { InProcessPetMock, PetMockOptions } from '../testing/pet-mock.ts'
import { readNoFile } from '../testing/scenario-keys.ts'
import type { connectDashboard, PageElement } from './connect-dashboard.ts'

/* The exports of `pet-mock/browser`. */
export { PetMockError, type PetMockErrorCode } from '../client/pet-mock-error.ts'
export type { PageElement, PetMockOptions }

/** pet-mock in a page. */
export interface BrowserPetMock extends InProcessPetMock {
  /** Shows the dashboard of this mock in an element, in a frame. The first call loads it. */
  readonly connectDashboard: (element: PageElement) => ReturnType<typeof connectDashboard>
}

/** Creates a pet-mock in this page. Throws a PetMockError for an invalid scenario or option. */
export function createPetMock(options: PetMockOptions = {}): BrowserPetMock {
  checkOptions('createPetMock', options, commonNames)
  const { mock, near } = inProcess(options, readNoFile)
  return Object.assign(mock, {
    connectDashboard: async (element: PageElement) =>
      (await import('./connect-dashboard.ts')).connectDashboard(element, near),
  })
}
