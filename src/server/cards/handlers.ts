import * as contract from '../../contract/cards.ts';
import { bind } from '../mount.ts';
import { handleDeleteCard } from './delete-card.ts';
import { ownCards } from './own-cards.ts';

export const cardHandlers = {
  listCard: bind(contract.listCard, (_, context) => ownCards(context)),
  deleteCard: bind(contract.deleteCard, handleDeleteCard),
};
