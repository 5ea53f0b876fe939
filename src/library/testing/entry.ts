/* The exports of `pet-mock`. */

export type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'
export type { ShippedScenario } from '../../generated/scenario-name.ts'
export type { ConductReport, KeyUsage } from '../../judges/conduct/conduct-report.ts'
export type { Filter as RequestFilter } from '../../judges/inspection/filter.ts'
export type { Evidence, Finding, Severity } from '../../judges/report/finding.ts'
export type { Reply } from '../../service/call/call.ts'
export type { ExplainedRequest, RuleState, Snapshot } from '../client/ask-plane.ts'
export type {
  ClockControls,
  ClockState,
  KeyChange,
  KeyControls,
  KeyState,
  PetControls,
  RequestControls,
  RuleControls,
  StoredPet,
} from '../client/controls.ts'
export { PetMockError, type PetMockErrorCode } from '../client/pet-mock-error.ts'
export { type ConnectPetMockOptions, connectPetMock } from './connect-pet-mock.ts'
export {
  createPetMock,
  type InProcessPetMock,
  type InProcessSandbox,
  type PlainCall,
} from './create-pet-mock.ts'
export type {
  ExpectableFinding,
  PetMock,
  PetMockOptions,
  PetMockSandbox,
  ScenarioChoice,
  ScenarioControls,
  ScenarioPath,
  ScenarioState,
} from './pet-mock.ts'
export { type StartPetMockOptions, startPetMock } from './start-pet-mock.ts'
