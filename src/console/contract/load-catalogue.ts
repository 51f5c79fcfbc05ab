/** What the service publishes of its operations. */
import { service } from '../api/service.ts';
import { type Catalogue, catalogueOf } from './catalogue.ts';

export const loadCatalogue = async (): Promise<Catalogue> => catalogueOf(await service.publishedDocument());
