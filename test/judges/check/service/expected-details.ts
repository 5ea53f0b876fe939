/** What is said of each fault, up to 140 characters, with the smallest request that shows it on the plan free. */
export const expectedDetails: Readonly<Record<string, string>> = {
  'lists need no key: auth-missing': 'GET /pets → 200: the status is 200, not 401',
  'animals need no key: auth-missing': 'GET /pets/7 → 200: the status is 200, not 401',
  'creating needs no key: auth-missing': 'POST /pets → 201: the status is 201, not 401',
  'any bearer key is valid: auth-invalid': 'GET /pets → 200: the status is 200, not 401',
  'a key is compared by its beginning: auth-invalid': 'GET /pets → 200: the status is 200, not 401',
  'Basic is taken for Bearer: auth-invalid': 'GET /pets → 200: the status is 200, not 401',
  '403 for a missing key: auth-missing': 'GET /pets → 403: the status is 403, not 401',
  '403 for a wrong key: auth-invalid': 'GET /pets → 403: the status is 403, not 401',
  '400 for a missing key: auth-missing': 'GET /pets → 400: the status is 400, not 401',
  '404 for an animal without a key: auth-missing': 'GET /pets/7 → 404: the status is 404, not 401',
  '302 to a login page: auth-missing': 'GET /pets → 302: the status is 302, not 401',
  '401 without a challenge: auth-challenge': 'GET /pets → 401: WWW-Authenticate is missing',
  'a challenge of another scheme: auth-scheme': 'GET /pets → 401: WWW-Authenticate is Basic realm="pets"',
  'the scheme is compared by case: auth-scheme-case': 'GET /pets?limit=1 → 401: the status is 401, not 200',
  '401 for an unknown animal: auth-accepted': 'GET /pets/none → 401: the status is 401',
  '401 in HTML: contract-media-type':
    'GET /pets → 401: The received media type "text/html" does not match the one specified in the current response: application/json',
  '401 with an Error in an envelope: contract-body':
    "GET /pets → 401: Response body must have required property 'code'; Response body must have required property 'message'; Response body must h",
  '401 with a number as its code: contract-body':
    'GET /pets → 401: Response body property code must be string',
  '401 with a text as its status: contract-body':
    'GET /pets → 401: Response body property status must be integer',
  '401 with another status in its Error: error-status':
    'GET /pets → 401: the Error has 403, the response 401',
  '401 without a message: contract-body':
    "GET /pets → 401: Response body must have required property 'message'",
  'no Reset: limit-headers': 'GET /pets → 401: without x-ratelimit-reset',
  'no limit headers on 401: limit-headers':
    'GET /pets → 401: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  'no limit headers on 404: limit-headers':
    'GET /pets/none → 404: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  'no limit headers on 400: limit-headers':
    'POST /pets → 400: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  'no limit headers on 201: limit-headers':
    'POST /pets → 201: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  'a limit of no plan: limit-of-plan': 'GET /pets → 200: 100, but free has 60 and 1000: is --plan right?',
  'a limit with its window: limit-integers': 'GET /pets → 200: x-ratelimit-limit: 60, 60;w=60',
  'Remaining with a fraction: limit-integers': 'GET /pets → 200: x-ratelimit-remaining: 58.0',
  'Remaining below zero: limit-integers': 'POST /pets → 201: x-ratelimit-remaining: -1',
  'Remaining above the limit: limit-remaining-range': 'GET /pets → 200: 558 of 60 remain',
  'Remaining that stands still: limit-counts-down':
    'GET /pets?limit=1 → 200: 42 remained before the call, 42 after it, 9 times of 9',
  'Remaining without order: limit-counts-down':
    'GET /pets → 200: 7 remained before the call, 42 after it, with a call without a key in between',
  'Remaining that counts up: limit-counts-down':
    'GET /pets?limit=1 → 200: 8 remained before the call, 9 after it, 9 times of 9',
  'each operation has a quota of its own: limit-counts-down':
    'GET /pets/7 → 200: 45 remained before the call, 58 after it',
  'getPet is not counted: limit-counts-down':
    'GET /pets/7 → 200: 50 remained before the call, 50 after it, 8 times of 8',
  'createPet is not counted: limit-counts-down':
    'POST /pets → 201: 43 remained before the call, 43 after it, 6 times of 6',
  'lists are not counted: limit-counts-down':
    'GET /pets?limit=1 → 200: 60 remained before the call, 60 after it, 9 times of 9',
  'getPet counts twice: limit-counts-once':
    'GET /pets/7 → 200: 50 remained before the call, 48 after it, 8 times of 8',
  'createPet counts twice: limit-counts-once':
    'POST /pets → 201: 43 remained before the call, 41 after it, 5 times of 5',
  'lists count three times: limit-counts-once':
    'GET /pets?limit=1 → 200: 36 remained before the call, 33 after it, 7 times of 7',
  'every request counts twice: limit-counts-once':
    'GET /pets?limit=1 → 200: 44 remained before the call, 42 after it, 9 times of 9',
  'a call without a key counts for the key: limit-counts-own':
    'GET /pets → 200: 59 remained before the call, 57 after it, with a call without a key in between, 5 times of 5',
  'a call with a wrong key counts for the key: limit-counts-own':
    'GET /pets?limit=11 → 200: 55 remained before the call, 53 after it, with a call with a wrong key in between, 3 times of 3',
  'Reset in milliseconds: limit-reset-seconds':
    'GET /pets → 200: X-RateLimit-Reset is 1772452867000, which looks like milliseconds',
  'Reset as the seconds left: limit-reset-seconds':
    'GET /pets → 200: X-RateLimit-Reset is 42, which looks like the seconds left',
  'Reset as a date: limit-reset-seconds':
    'GET /pets → 200: X-RateLimit-Reset is 2026-03-02T12:01:07.000Z, which is no number',
  'Reset in the past: limit-reset-ahead':
    'GET /pets → 200: X-RateLimit-Reset is 60 s before Date, and the limit is per minute',
  'Reset of a minute in an hour: limit-reset-ahead':
    'GET /pets → 200: X-RateLimit-Reset is 3660 s after Date, and the limit is per minute',
  'Reset in two days: limit-reset-ahead':
    'GET /pets → 200: X-RateLimit-Reset is 172860 s after Date, and the limit is per minute',
  'Reset in the past on errors: limit-reset-ahead':
    'GET /pets/none → 404: X-RateLimit-Reset is 541 s before Date',
  'errors are not counted: limit-counts-errors':
    'GET /pets/none → 404: 31 remained before the call, 31 after it',
  '500 for every third animal: server-error': 'GET /pets/7 → 500: the status is 500; 4 requests failed so',
  '500 now and then: server-error': 'GET /pets?cursor=none → 500: the status is 500; 4 requests failed so',
  'a default of 50: list-default': 'GET /pets → 200: 43 animals',
  'a default of 10: list-default': 'GET /pets → 200: 10 animals, but 20 with limit=20',
  'no limit without `limit`: list-default': 'GET /pets → 200: 43 animals',
  'one animal more than `limit`: list-limit': 'GET /pets?limit=1 → 200: 2 animals, at most 1 allowed',
  '`limit` is ignored: list-limit': 'GET /pets?limit=1 → 200: 20 animals, at most 1 allowed',
  '`limit` is ignored with a filter: list-limit':
    'GET /pets?limit=4&status=pending → 200: 10 animals, at most 4 allowed',
  '`limit` of 100 is refused: list-answers': 'GET /pets?limit=100 → 400: the status is 400, not 200',
  'the filter is ignored: list-filter':
    'GET /pets?limit=100&status=sold → 200: the animal 7 has the status “available”, not sold',
  'the filter loses the first animal: list-filter-complete':
    'GET /pets?limit=100&status=sold → 200: the animal 13 is missing',
  'the filter loses the last animal: list-filter-complete':
    'GET /pets?limit=100&status=sold → 200: the animal 130 is missing',
  'pending finds what is sold: list-filter':
    'GET /pets?limit=4&status=pending → 200: the animal 13 has the status “sold”, not pending',
  'sold finds nothing: list-filter-complete':
    'GET /pets?limit=100&status=sold → 200: the animal 13 is missing',
  '404 for an empty filter: list-answers':
    'GET /pets?limit=100&status=sold → 404: the status is 404, not 200',
  'the next page loses the filter: page-filter':
    'GET /pets?from=8&limit=4 → 200: the animal 40 has the status “sold”, not pending',
  'the next page repeats an animal: page-continues': 'GET /pets?limit=11 → 200: the animal 37 comes twice',
  'the next page skips an animal: page-continues': 'GET /pets?limit=11 → 200: the animal 40 does not come',
  'the next page is the first one: page-continues': 'GET /pets?limit=11 → 200: the animal 7 comes twice',
  'the next page skips an animal of a filter: page-continues':
    'GET /pets?limit=4&status=pending → 200: the animal 73 does not come',
  'the next page is 404: page-continues':
    'GET /pets?limit=11 → 200: the link rel="next" http://127.0.0.1:80/pets?from=11&limit=11 gets 404',
  'the next page is 400: page-continues':
    'GET /pets?limit=11 → 200: the link rel="next" http://127.0.0.1:80/v1/pets?from=11&limit=11 gets 400',
  'the last page is missing: page-continues': 'GET /pets?limit=11 → 200: the animal 106 does not come',
  'ids are texts: contract-body':
    'GET /pets → 200: Response body property 0.id must be integer; Response body property 1.id must be integer; Response body property 2.id must ',
  'categories are texts: contract-body':
    'GET /pets → 200: Response body property 0.categoryId must be integer; Response body property 1.categoryId must be integer; Response body pro',
  'ids have fractions: contract-body':
    'GET /pets → 200: Response body property 0.id must be integer; Response body property 0.id must match format "int64"; Response body property ',
  'a missing status is null: contract-body':
    'GET /pets → 200: Response body property 3.status must be string; Response body property 3.status must be equal to one of the allowed values:',
  'a status in capitals: contract-body':
    'GET /pets → 200: Response body property 0.status must be equal to one of the allowed values: available, pending, sold; Response body propert',
  'a status of its own: contract-body':
    'GET /pets → 200: Response body property 5.status must be equal to one of the allowed values: available, pending, sold',
  'animals without a name: contract-body':
    "GET /pets → 200: Response body property 0 must have required property 'name'; Response body property 1 must have required property 'name'; R",
  'one animal without a category: contract-body':
    "GET /pets → 200: Response body property 2 must have required property 'categoryId'",
  'an envelope: contract-body': 'GET /pets → 200: Response body must be array',
  'an envelope around a filtered list: contract-body':
    'GET /pets?limit=100&status=sold → 200: Response body must be array',
  'a list in HTML: contract-media-type':
    'GET /pets → 200: The received media type "text/html" does not match the one specified in the current response: application/json',
  'JSON as text: contract-media-type':
    'GET /pets → 200: The received media type "text/plain" does not match the one specified in the current response: application/json',
  'a body that ends early: contract-body':
    'GET /pets → 200: Response body is not JSON: the text ends inside an object',
  '206 for a page: list-answers': 'GET /pets → 206: the status is 206, not 200',
  'an animal twice: list-ids-unique': 'GET /pets → 200: the id 7 occurs twice',
  'lists announce their removal: deprecation-only':
    'GET /pets → 200: Sunset is Thu, 05 Dec 2030 00:00:00 GMT',
  'ids descend: list-ids-ascend': 'GET /pets → 200: 130 follows 133',
  'no links: page-linked': 'GET /pets → 200: it has no link rel="next"',
  'a `limit` out of range is clamped: list-limit-refused':
    'GET /pets?limit=101 → 200: the status is 200, not 400',
  'the last animal has another status: get-same': 'GET /pets/133 → 200: status is “sold”, not “available”',
  'names in capitals: get-same': 'GET /pets/7 → 200: name is “PET 0”, not “Pet 0”',
  'names lose their accents: get-same': 'GET /pets/22 → 200: name is “Zo?”, not “Zoë”',
  'animals lose their status: get-same': 'GET /pets/7 → 200: status is nothing, not “available”',
  'another category: get-same': 'GET /pets/49 → 200: categoryId is 1, not 3',
  'the animal before: get-same':
    'GET /pets/49 → 200: id is 46, not 49; name is “Pet 13”, not “Pet 14”; categoryId is 2, not 3',
  'always the first animal: get-same':
    'GET /pets/49 → 200: id is 7, not 49; name is “Pet 0”, not “Pet 14”; categoryId is 1, not 3',
  'no animal beyond the first twenty: get-answers': 'GET /pets/133 → 404: the status is 404, not 200',
  'an animal in an array: contract-body': 'GET /pets/7 → 200: Response body must be object',
  'an animal in an envelope: contract-body':
    "GET /pets/7 → 200: Response body must have required property 'categoryId'; Response body must have required property 'id'; Response body mus",
  'an id as a text: contract-body': 'GET /pets/7 → 200: Response body property id must be integer',
  'an animal as text: contract-media-type':
    'GET /pets/7 → 200: The received media type "text/plain" does not match the one specified in the current response: application/json',
  '200 and null for an unknown id: get-unknown': 'GET /pets/1000136 → 200: the status is 200, not 404',
  '200 and {} for an unknown id: get-unknown': 'GET /pets/1000136 → 200: the status is 200, not 404',
  '204 for an unknown id: get-unknown': 'GET /pets/1000136 → 204: the status is 204, not 404',
  '400 for an unknown id: get-unknown': 'GET /pets/1000136 → 400: the status is 400, not 404',
  '410 for an unknown id: get-unknown': 'GET /pets/1000136 → 410: the status is 410, not 404',
  '403 for an unknown id: get-unknown': 'GET /pets/1000136 → 403: the status is 403, not 404',
  '500 for an unknown id: server-error': 'GET /pets/none → 500: the status is 500; 4 requests failed so',
  '500 for an id beyond 2^53: server-error':
    'GET /pets/9223372036854775783 → 500: the status is 500; 2 requests failed so',
  'another animal for an unknown id: get-unknown': 'GET /pets/1000136 → 200: the status is 200, not 404',
  '404 in HTML: contract-media-type':
    'GET /pets/1000136 → 404: The received media type "text/html" does not match the one specified in the current response: application/json',
  '404 with another status in its Error: error-status':
    'GET /pets/1000136 → 404: the Error has 200, the response 404',
  '404 without a code: contract-body':
    "GET /pets/1000136 → 404: Response body must have required property 'code'",
  'ids beyond 2^53 are rounded in lists: get-answers':
    'GET /pets/9007199254740992 → 404: the status is 404, not 200',
  'ids beyond 2^53 are rounded in animals: int64-exact':
    'GET /pets/1002 → 200: categoryId is 9007199254740992, not 9007199254740993',
  'ids beyond 2^53 are looked up as doubles: get-unknown':
    'GET /pets/9007199254740992 → 200: the status is 200, not 404',
  'no Sunset: deprecation-sunset': 'GET /pets/7 → 200: Sunset is missing',
  'a removal in another year: deprecation-date': 'GET /pets/7 → 200: Sunset is Fri, 05 Dec 2031 00:00:00 GMT',
  'a removal in another month: deprecation-date':
    'GET /pets/7 → 200: Sunset is Sun, 12 May 2030 00:00:00 GMT',
  'no successor: deprecation-successor': 'GET /pets/7 → 200: Link is missing',
  'a malformed id is 400: get-malformed': 'GET /pets/none → 400: the status is 400, not 404',
  '200 for a new animal: create-answers': 'POST /pets → 200: the status is 200, not 201',
  '202 for a new animal: create-answers': 'POST /pets → 202: the status is 202, not 201',
  '201 without a body: contract-body': 'POST /pets → 201: Response body must be object',
  '201 with the id alone: contract-body':
    "POST /pets → 201: Response body must have required property 'categoryId'; Response body must have required property 'name'",
  '201 with an id as a text: contract-body': 'POST /pets → 201: Response body property id must be integer',
  '201 as text: contract-media-type':
    'POST /pets → 201: The received media type "text/plain" does not match the one specified in the current response: application/json',
  'a valid body is refused: create-answers': 'POST /pets → 400: the status is 400, not 201',
  'a status is required: create-answers': 'POST /pets → 400: the status is 400, not 201',
  '422 for an invalid body: create-refuses': 'POST /pets → 422: the status is 422, not 400',
  '500 for an invalid body: create-refuses': 'POST /pets → 500: the status is 500, not 400',
  '400 in HTML: contract-media-type':
    'POST /pets → 400: The received media type "text/html" does not match the one specified in the current response: application/json',
  '400 with another status in its Error: error-status':
    'POST /pets → 400: the Error has 422, the response 400',
  '400 with a list of errors: contract-body':
    "POST /pets → 400: Response body must have required property 'code'; Response body must have required property 'message'; Response body must ",
  'a body without a name is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'a body without a category is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'an unknown status is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'a category with a fraction is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'a category as a text is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'a category of null is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'a number as a name is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'a name of null is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'any body is taken: create-refuses': 'POST /pets → 201: the status is 201, not 400',
  'a refused body is created all the same: create-nothing':
    'GET /pets?limit=100 → 200: the list has the animal 90001',
  'Location without the base path: create-location': 'POST /pets → 201: Location is /pets/1001',
  'names are trimmed: create-as-sent':
    'POST /pets → 201: name is “Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺”, not “ Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺 ”',
  'names are cut at 255: create-as-sent':
    'POST /pets → 201: name is “Rex the very long name the very long name the very long name the very long name the very long name the very long ',
  'names are cut at 50: create-as-sent':
    'POST /pets → 201: name is “Rex the very long name the very long name the very”, not “Rex the very long name the very long name the very long',
  'names are ASCII only: create-as-sent':
    'POST /pets → 201: name is “ Zo? "O\'Hara" <b>&amp; ? ????? ”, not “ Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺 ”',
  'names lose astral characters: create-as-sent':
    'POST /pets → 201: name is “ Zoë "O\'Hara" <b>&amp; 犬 �‍� ”, not “ Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺 ”',
  'names are Latin-1: create-as-sent':
    'POST /pets → 201: name is “ Zoë "O\'Hara" <b>&amp; ? ????? ”, not “ Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺 ”',
  'names are escaped for HTML: create-as-sent':
    'POST /pets → 201: name is “ Zoë "O\'Hara" &lt;b>&amp; 犬 🐕‍🦺 ”, not “ Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺 ”',
  'names are in lower case: create-as-sent': 'POST /pets → 201: name is “luna”, not “Luna”',
  'names are changed when they are read again: create-kept':
    'GET /pets/1003 → 200: name is “ Zo "O\'Hara" <b>&amp;   ”, not “ Zoë "O\'Hara" <b>&amp; 犬 🐕‍🦺 ”',
  'the status is dropped: create-as-sent': 'POST /pets → 201: status is nothing, not “pending”',
  'the status is always available: create-as-sent': 'POST /pets → 201: status is “available”, not “pending”',
  'the category is always 1: create-as-sent': 'POST /pets → 201: categoryId is 1, not 9007199254740993',
  'int64s are doubles: int64-exact': 'POST /pets → 201: categoryId is 9007199254740992, not 9007199254740993',
  'int64s are doubles when they are read again: int64-exact':
    'GET /pets/1002 → 200: categoryId is 9007199254740992, not 9007199254740993',
  'int64s are 32 bits long: create-as-sent': 'POST /pets → 201: categoryId is 1, not 9007199254740993',
  'a new animal is not found by its id: create-kept': 'GET /pets/1003 → 404: the status is 404, not 200',
  'a new animal is not listed: create-listed': 'GET /pets?limit=100 → 200: the animal 1000 is missing',
  'a new animal is not found by its status: create-listed':
    'GET /pets?limit=100&status=pending → 200: the animal 1000 is missing',
  'lists are a minute old: create-listed': 'GET /pets?limit=100 → 200: the animal 1000 is missing',
  'a new animal gets an id that exists: create-new-id': 'POST /pets → 201: another animal has the id 22',
  'every new animal gets the same id: create-new-id': 'POST /pets → 201: another animal has the id 1000',
  'Location of another animal: create-location-own': 'POST /pets → 201: Location is /v1/pets/1, the id 1001',
  'a default for the status: create-status-absent': 'POST /pets → 201: the status is “available”',
  '415 for a body as text: create-refuses-form': 'POST /pets → 415: the status is 415, not 400',
  '500 for names beyond ASCII: server-error': 'POST /pets → 500: the status is 500; 3 requests failed so',
  '500 for long names: server-error': 'POST /pets → 500: the status is 500; 2 requests failed so',
  'no limit: limit-enforced': 'GET /pets?limit=1 → 200: the status is 200, 6 times, while 0 remained',
  'one request over the limit: limit-enforced':
    'GET /pets?limit=1 → 429: 61 requests of 60 were accepted before it',
  'one request below the limit: limit-not-early': 'GET /pets?limit=1 → 429: 1 remained before the call',
  'Remaining before the request: limit-not-early': 'GET /pets?limit=1 → 429: 1 remained before the call',
  '503 instead of 429: limit-enforced': 'GET /pets?limit=1 → 503: the status is 503, not 429',
  '403 instead of 429: limit-enforced': 'GET /pets?limit=1 → 403: the status is 403, not 429',
  '200 with an Error instead of 429: contract-body': 'GET /pets?limit=1 → 200: Response body must be array',
  '429 without Retry-After: contract-header':
    "GET /pets?limit=1 → 429: Response header must have required property 'retry-after'",
  '429 without limit headers: limit-headers':
    'GET /pets?limit=1 → 429: without x-ratelimit-limit and x-ratelimit-remaining and x-ratelimit-reset',
  'Retry-After in words: retry-format': 'GET /pets?limit=1 → 429: Retry-After is soon',
  'Retry-After with a fraction: retry-format': 'GET /pets?limit=1 → 429: Retry-After is 58.00',
  'Retry-After with a unit: retry-format': 'GET /pets?limit=1 → 429: Retry-After is 58s',
  'Retry-After as an ISO date: retry-format':
    'GET /pets?limit=1 → 429: Retry-After is 2026-03-02T12:02:08.000Z',
  'Retry-After as a Unix timestamp: retry-format':
    'GET /pets?limit=1 → 429: Retry-After is 1772452928, which looks like a Unix timestamp',
  'Retry-After in milliseconds: retry-format':
    'GET /pets?limit=1 → 429: Retry-After is 58000, which looks like milliseconds',
  'Retry-After below zero: retry-format': 'GET /pets?limit=1 → 429: Retry-After is -5',
  'Retry-After of half the time: retry-works':
    'GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  'Retry-After of one second: retry-works':
    'GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  'Retry-After of zero: retry-works':
    'GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  'Retry-After in the past: retry-works':
    'GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  'Retry-After in minutes: retry-works':
    'GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  'Retry-After of an hour: retry-too-long':
    'GET /pets?limit=1 → 429: Retry-After is 3600, and the limit is per minute',
  'Retry-After twice as long: retry-too-long':
    'GET /pets?limit=1 → 429: Retry-After is 118, and the limit is per minute',
  'the date of Retry-After in an hour: retry-too-long':
    'GET /pets?limit=1 → 429: Retry-After is Mon, 02 Mar 2026 13:01:10 GMT, and the limit is per minute',
  '429 with the headers of the day: limit-refused-window':
    'GET /pets?limit=1 → 429: it reports 900 of 1000, but the response before 0 of 60',
  '429 with requests left: limit-refused-window':
    'GET /pets?limit=1 → 429: it reports 5 of 60, but the response before 0 of 60',
  'Reset of a 429 comes early: limit-resets':
    'GET /pets?limit=1 → 429: the status is 429, although X-RateLimit-Reset is over',
  'the limit never resets: retry-works':
    'GET /pets?limit=1 → 429: the status is 429, although Retry-After is over',
  'createPet is not limited: limit-every-operation': 'POST /pets → 201: the status is 201',
  'getPet is not limited: limit-every-operation': 'GET /pets/7 → 200: the status is 200',
  'createPet answers 400 while the limit is exceeded: limit-every-operation':
    'POST /pets → 400: the status is 400',
  'Remaining on 429 is missing: limit-headers': 'GET /pets?limit=1 → 429: without x-ratelimit-remaining',
  'Reset on 429 in milliseconds: limit-reset-seconds':
    'GET /pets?limit=1 → 429: X-RateLimit-Reset is 1772452928000, which looks like milliseconds',
  '429 may be stored: retry-not-stored': 'GET /pets?limit=1 → 429: Cache-Control is missing',
  'Retry-After ends after Reset: retry-agrees':
    'GET /pets?limit=1 → 429: Retry-After ends 20 s before X-RateLimit-Reset',
  '429 in HTML: contract-assumed':
    'GET /pets?limit=1 → 429: Response body is not JSON: unexpected "<" at line 1, column 1',
  'a window begins with one request less: limit-whole':
    'GET /pets?limit=1 → 200: 58 of 60 remain after the first request',
}
