import { type OpenApiDocument } from '../openapi';
import { DocumentedAnswers } from '@pushfleet/testing';
import Ajv2020, { type ValidateFunction } from '@redocly/ajv/dist/2020';

/** What a document tells of the answers of its service. */
export const documentedAnswers = (document: OpenApiDocument): DocumentedAnswers<ValidateFunction> =>
  new DocumentedAnswers(document, new Ajv2020({ strict: false, validateFormats: false }));
