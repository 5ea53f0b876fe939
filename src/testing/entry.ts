/* What `import … from 'pet-mock'` gives. */
export type { Call, Handle, Reply } from '../call/call.ts'
export type { ShippedScenario } from '../generated/scenario-name.ts'
export type { ScenarioFile } from '../scenario/file.ts'
export { createPetMock, type InProcessPetMock } from './create-pet-mock.ts'
export type { PetMock, PetMockOptions } from './pet-mock.ts'
export { type StartPetMockOptions, startPetMock } from './start-pet-mock.ts'
