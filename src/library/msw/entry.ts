/* The exports of `pet-mock/msw`, for Node and browsers. */
export { type PetMockHandlers, type PetMockHandlersOptions, petMockHandlers } from './pet-mock-handlers.ts'
