import { explainOldNode } from './explain-old-node.ts'

/* The exports of `pet-mock/msw`, for Node and browsers. */
export { type PetMockHandlers, type PetMockHandlersOptions, petMockHandlers } from './pet-mock-handlers.ts'

// MSW itself fails later, at the first request, with an error that does not name the reason.
const problem = explainOldNode()
if (problem !== undefined) throw new Error(problem)
