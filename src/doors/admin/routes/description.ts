import { docsPage } from '../description/docs-page.ts'
import { describePlane } from '../description/openapi.ts'
import { json, text } from '../routing/replies.ts'
import { type Route, type RouteGroup, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

/** The plane's own description, for programs and for people. */
export function descriptionRoutes(groups: () => readonly RouteGroup[]): readonly Route[] {
  return [
    route({
      id: 'getDescription',
      on: ['GET', '/openapi.json'],
      about: 'Returns the OpenAPI 3.1 description of the admin plane.',
      sandbox: 'none',
      answer: { about: 'An OpenAPI document.', schema: view.of('object') },
      serve: ({ controls: { version } }) => json(describePlane(groups(), version)),
    }),
    route({
      id: 'getDocs',
      on: ['GET', '/docs'],
      about: 'Returns the description as a web page.',
      sandbox: 'none',
      answer: { about: 'A web page.', type: 'text/html' },
      serve: ({ controls: { version }, origin }) =>
        text(docsPage(describePlane(groups(), version), origin), 'text/html; charset=utf-8', {
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        }),
    }),
  ]
}
