import * as z from 'zod'
import { docsPage } from '../description/docs-page.ts'
import { describePlane } from '../description/openapi.ts'
import { json, text } from '../routing/replies.ts'
import { type Route, route } from '../routing/route.ts'

/** The plane's own description, for programs and for people. */
export function descriptionRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    route({
      id: 'getDescription',
      method: 'GET',
      path: '/openapi.json',
      tag: 'Server',
      about: 'Describes all of this in OpenAPI 3.1.',
      sandbox: 'none',
      answer: { about: 'An OpenAPI document.', schema: z.looseObject({ openapi: z.string() }) },
      serve: ({ controls: { version } }) => json(describePlane(routes(), version)),
    }),
    route({
      id: 'getDocs',
      method: 'GET',
      path: '/docs',
      tag: 'Server',
      about: 'Shows the description as a page for people.',
      sandbox: 'none',
      answer: { about: 'A page.', type: 'text/html' },
      serve: ({ controls: { version }, origin }) =>
        text(docsPage(describePlane(routes(), version), version, origin), 'text/html; charset=utf-8', {
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        }),
    }),
  ]
}
