import { writeJson } from '../../base/json/write.ts'
import { type Answer, reply } from '../../service/call/answer.ts'
import { deprecationHeaders } from '../../service/deprecation/deprecation.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { createPet } from '../../service/pets/create-pet.ts'
import { getPet } from '../../service/pets/get-pet.ts'
import { moveLocation } from './api-address.ts'
import type { CallContext } from './call-context.ts'
import type { AreaOperation } from './open-areas.ts'
import type { Destination } from './route-gate.ts'

type AnswerCall = (context: CallContext, parameter: string) => Answer

/** Binds each operation to the world of the call. */
const answers: Readonly<Record<OperationId, AnswerCall>> = {
  listPets: ({ world, target, address }) => world.pages.get(target.query, address.base),
  createPet: ({ world, call, address }) =>
    moveLocation(createPet(world.pets, call, world.scenario.behaviour.defaultStatus), address.moved),
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
