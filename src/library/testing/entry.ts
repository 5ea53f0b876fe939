/* The exports of `pet-mock`. */

export type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'
export type { ShippedScenario } from '../../generated/scenario-name.ts'
export type { Call, Handle, Reply } from '../../service/call/call.ts'
export type {
  ClockControls,
  ClockState,
  ConductReport,
  Evidence,
  ExplainedRequest,
  Finding,
  KeyChange,
  KeyControls,
  KeyState,
  KeyUsage,
  PetControls,
  RequestControls,
  RequestFilter,
  ScenarioControls,
  ScenarioState,
  Severity,
  Snapshot,
  StoredPet,
} from '../client/controls.ts'
export { PetMockError, type PetMockErrorCode } from '../client/pet-mock-error.ts'
export type { RuleControls, RuleState } from '../client/rule-controls.ts'
export { type ConnectPetMockOptions, connectPetMock } from './connect-pet-mock.ts'
export { createPetMock, type InProcessPetMock } from './create-pet-mock.ts'
export type { ExpectableFinding, PetMock, PetMockOptions, ScenarioChoice, ScenarioPath } from './pet-mock.ts'
export { type StartPetMockOptions, startPetMock } from './start-pet-mock.ts'
