/* The exports of `pet-mock`. */

export type { Duration } from '../../base/time/duration.ts'
export type { RuleFields, ScenarioFile, Snapshot } from '../../control/scenario/file.ts'
export type { ShippedScenario } from '../../generated/scenario-name.ts'
export type { Reply } from '../../service/call/call.ts'
export type { PetStatus } from '../../service/pets/pet.ts'
export type {
  ConductReport,
  Evidence,
  ExplainedRequest,
  Explanation,
  Finding,
  KeyUsage,
  RequestView,
  RuleState,
  Severity,
} from '../client/ask-plane.ts'
export type {
  ClockControls,
  ClockState,
  Counts,
  KeyChange,
  KeyControls,
  KeyState,
  PetControls,
  RequestControls,
  RequestFilter,
  RuleControls,
  StoredPet,
} from '../client/controls.ts'
export { PetMockError, type PetMockErrorCode } from '../client/pet-mock-error.ts'
export { type ConnectPetMockOptions, connectPetMock } from './connect-pet-mock.ts'
export { createPetMock } from './create-pet-mock.ts'
export type {
  AssumedReport,
  ExpectableFinding,
  InProcessPetMock,
  InProcessSandbox,
  PetMock,
  PetMockOptions,
  PetMockSandbox,
  PlainCall,
  ScenarioChoice,
  ScenarioControls,
  ScenarioPath,
  ScenarioState,
} from './pet-mock.ts'
export { type StartPetMockOptions, startPetMock } from './start-pet-mock.ts'
