import type { Lane } from './lane.ts'
import { commandLane } from './lanes/command.ts'
import { coreLane, fetchLane } from './lanes/core.ts'
import { contractLane, harLane } from './lanes/documents.ts'
import { fixtureLane, scenarioLane, stateLane } from './lanes/files.ts'
import { httpLane } from './lanes/http.ts'
import { mangledLane } from './lanes/mangled.ts'
import { planeLane } from './lanes/plane.ts'
import { startPetMock } from './server/server.ts'

export const lanes: readonly Lane[] = [
  httpLane(startPetMock),
  mangledLane(startPetMock),
  planeLane(startPetMock),
  coreLane,
  fetchLane,
  scenarioLane,
  fixtureLane,
  stateLane,
  contractLane,
  harLane,
  commandLane,
]
