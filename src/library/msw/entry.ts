/* What `import … from 'pet-mock/msw'` gives. It runs in Node and in browsers. */
export { type PetMockHandlers, type PetMockHandlersOptions, petMockHandlers } from './pet-mock-handlers.ts'
