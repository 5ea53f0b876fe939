import { writeJson } from '../../base/json/write.ts'
import { type Answer, refuseProblems, reply } from '../../service/call/answer.ts'
import { deprecationHeaders } from '../../service/deprecation/deprecation.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { createPet, readPetOf } from '../../service/pets/create-pet.ts'
import { getPet } from '../../service/pets/get-pet.ts'
import { readListQuery } from '../../service/pets/list-pets.ts'
import { moveLocation } from './api-address.ts'
import type { CallContext } from './call-context.ts'
import type { AreaOperation, OpenAreas } from './open-areas.ts'
import { type Destination, routeCall } from './route-gate.ts'

/** Binds each operation to the world of the call. */
const answers: Readonly<Record<OperationId, (context: CallContext, parameter: string) => Answer>> = {
  listPets: ({ world, target, address }) => world.pages.get(target.query, address.base),
  createPet: ({ world, call, address }) =>
    moveLocation(createPet(world.pets, call, world.scenario.behaviour), address.moved),
  getPet: ({ world }, petId) => getPet(world.pets, petId),
  // The specification names this operation, and shows no payload.
  listOrders: ({ world }) => reply(200, writeJson(world.scenario.orders)),
}

export function answerOperation(destination: Destination, context: CallContext): Answer {
  const { operation, parameter } = destination
  if (operation.id !== 'getPet') return answerAnew(destination, context)
  const { world, address } = context
  return world.pages.pet(parameter, address.base, () => answerAnew(destination, context))
}

/** The refusal of a wrong query or body, without carrying the call out. */
export function refuseInvalid(context: CallContext, areas: OpenAreas | undefined): Answer | undefined {
  const destination = routeCall(context, areas)
  if (!('operation' in destination)) return undefined
  const { call, target, world } = context
  const { behaviour } = world.scenario
  if (destination.operation.id === 'createPet') {
    const read = readPetOf(call, behaviour.order)
    return 'refusal' in read ? read.refusal : undefined
  }
  if (destination.operation.id !== 'listPets') return undefined
  const asked = readListQuery(target.query, behaviour)
  return 'problems' in asked ? refuseProblems('invalid_parameter', asked.problems) : undefined
}

/** With the headers of a deprecated operation (A17). */
function answerAnew({ operation, parameter }: Destination, context: CallContext): Answer {
  const answer = answers[operation.id](context, parameter)
  if (operation.deprecated === undefined) return answer
  const { deprecation } = context.world.scenario.behaviour
  const headers = deprecationHeaders(operation.deprecated, deprecation, context.address.base)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** An open area's answer, now or later. It is marked, since nothing of it is from the service. */
export function answerArea<T>(
  area: AreaOperation,
  context: CallContext,
  marks: boolean,
  conclude: (answer: Answer) => T,
): T | Promise<T> {
  const mark = (answer: Answer) =>
    marks ? { ...answer, headers: { ...answer.headers, 'X-Pet-Mock': `openapi ${area.source}` } } : answer
  const finish = (own: Answer) => conclude(mark(moveLocation(own, context.address.moved)))
  const answer = area.answer(context)
  return answer instanceof Promise ? answer.then(finish) : finish(answer)
}
