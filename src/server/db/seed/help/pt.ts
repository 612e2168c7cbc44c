import type { Draft } from '../documents.ts';
import { mobileMoney, soon, transfers, wallets } from './ways.ts';

export const portugueseHelp: Draft = {
  title: 'Ajuda',
  sections: [
    {
      heading: 'Como compro um plano?',
      paragraphs: [
        'Abra Planos, escolha um e toque em Comprar. Entre ou crie sua conta, escolha como pagar e confirme. Os dias aparecem na sua conta assim que o pagamento chega.',
      ],
    },
    {
      heading: 'Como posso pagar?',
      paragraphs: [
        'Formas de pagamento: {methods}. Quais delas aparecem depende da moeda.',
        {
          methods: ['card'],
          text: 'O cartão é confirmado em segundos. Seu banco pode pedir que você autorize em uma página dele.',
        },
        {
          methods: ['pix'],
          text: 'No Pix, leia o código no aplicativo do seu banco ou copie-o para lá. A confirmação leva minutos.',
        },
        {
          methods: ['boleto'],
          text: 'O Boleto pode ser pago no aplicativo do banco ou no caixa até o fim do dia do vencimento. Ele leva até três dias úteis para chegar.',
        },
        {
          methods: ['paypal'],
          text: 'O PayPal abre a própria página. Autorize lá e você volta para cá automaticamente.',
        },
        {
          methods: wallets,
          text: 'A carteira abre a própria página ou aplicativo. Autorize lá e você volta para cá automaticamente.',
        },
        {
          methods: ['crypto'],
          text: 'Com criptomoeda, escolha a moeda e envie exatamente o valor mostrado para o endereço mostrado. Ele vale quando a rede confirmar.',
        },
        {
          methods: transfers,
          text: 'Na transferência, envie o valor com a referência mostrada e depois nos mande uma imagem do comprovante. Uma pessoa confere, o que pode levar um dia útil.',
        },
        {
          methods: mobileMoney,
          text: 'Com dinheiro móvel, digite o número que paga e autorize nesse telefone com seu PIN. Algumas operadoras dão um código, que você digita aqui.',
        },
      ],
    },
    {
      heading: 'Paguei e nada mudou',
      paragraphs: [
        'Abra Pedidos: um pagamento pendente ou em verificação não precisa de mais nada de você, por isso não pague de novo. Ele muda sozinho.',
        {
          methods: soon,
          text: 'Se continuar pendente uma hora depois de pagar, escreva para nós com o número do pedido.',
        },
        { methods: ['boleto'], text: 'O Boleto pode levar três dias úteis.' },
        { methods: ['crypto'], text: 'As moedas precisam antes de algumas confirmações da rede.' },
        { methods: transfers, text: 'A transferência espera pela pessoa que confere, no máximo um dia útil.' },
      ],
    },
    {
      heading: 'Meu cartão foi recusado',
      paragraphs: [
        'A mensagem ao lado do cartão diz o que pode ser corrigido. Confira o número, a validade e o código de segurança, tente outro cartão ou outra forma de pagamento. Um pagamento recusado não é cobrado.',
      ],
      methods: ['card'],
    },
    {
      heading: 'O código Pix expirou',
      paragraphs: [
        'Abra o pedido e toque em "Gerar um novo código". Se você pagou o código antigo no último instante, o pagamento ainda é reconhecido.',
      ],
      methods: ['pix'],
    },
    {
      heading: 'Meu telefone não pergunta nada',
      paragraphs: [
        'Veja se o telefone está ligado e com sinal e se o número digitado é o dele. Se nada chegar, abra o pedido e tente de novo: nada é cobrado antes de você autorizar com seu PIN.',
      ],
      methods: mobileMoney,
    },
    {
      heading: 'Enviei menos criptomoeda do que o valor',
      paragraphs: ['Abra o pedido: ele diz quanto ainda falta, e o mesmo endereço recebe o resto.'],
      methods: ['crypto'],
    },
    {
      heading: 'Em quantos aparelhos posso assistir?',
      paragraphs: [
        'Em tantos ao mesmo tempo quanto o seu plano permite. Com um plano para vários aparelhos ativo, um plano para um aparelho só pode ser comprado quando o atual terminar.',
      ],
    },
    {
      heading: 'Esqueci minha senha',
      paragraphs: [
        'Você mesmo escolhe uma nova: informe o e-mail ou o número da sua conta e enviamos um código ou um link para lá. Nunca pedimos sua senha.',
      ],
      link: { to: '/forgot-password', text: 'Escolher uma nova senha' },
    },
    {
      heading: 'Como falo com vocês?',
      paragraphs: ['Pelo e-mail {mail}, todos os dias das 9h às 21h. Se tiver um pedido, informe o número.'],
    },
  ],
};
