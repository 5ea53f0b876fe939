import { type App, createApp } from '../../../src/dashboard/app/app.ts'
import type { Answer, OperationId } from '../../../src/dashboard/plane/plane.ts'
import { planeRoutes } from '../../../src/generated/plane-operations.ts'

export type Answers = { readonly [Id in OperationId]?: Answer<Id> }

/** An `App` whose plane gives fixed answers. Others get 404. `newest`: the newest request id. */
export function fixtureApp(answers: Answers, newest = 0): App {
  const routes = Object.entries(planeRoutes).map(([id, route]) => ({
    pattern: new RegExp(`^${route.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/?]+')}(?:\\?.*)?$`),
    answer: Object.entries(answers).find(([name]) => name === id)?.[1],
  }))
  return createApp(window, {
    origin: 'http://127.0.0.1:7387',
    callApi: async () => new Response(null, { status: 204 }),
    connect: () => ({
      send: async (method, target) => {
        const answer = routes.find(({ pattern }) => pattern.test(`${method} ${target}`))?.answer
        if (answer !== undefined) return { status: 200, text: JSON.stringify(answer) }
        const refusal = { code: 'not_found', message: 'This fixture has no answer.', status: 404 }
        return { status: 404, text: JSON.stringify(refusal) }
      },
      watch: onEvent => {
        const timer = setTimeout(() =>
          onEvent({ start: 'fixture', revision: 1, changes: 1, newest: { default: newest } }),
        )
        return () => clearTimeout(timer)
      },
    }),
  })
}
