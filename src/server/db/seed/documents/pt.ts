import type { Policies } from '../documents.ts';

export const portuguese: Policies = {
  privacy: {
    title: 'Política de Privacidade',
    sections: [
      [
        'Quem é responsável',
        'A {name} decide por que e como seus dados são usados quando você visita este site, cria uma conta ou compra um plano. Para qualquer dúvida sobre esta política, escreva para {mail}.',
      ],
      [
        'O que coletamos',
        'Sua conta: o e-mail ou telefone do cadastro, um apelido se você quiser, seu idioma e sua senha em um formato que não pode ser lido de volta.',
        'Suas compras: plano, preço, forma de pagamento, situação e datas. Se a forma de pagamento exigir, também nome, CPF ou CNPJ, telefone e endereço, que são enviados ao provedor de pagamento.',
        'Seus acessos: horário, tipo de aparelho e endereço IP dos últimos acessos, para que você veja se outra pessoa usou sua conta.',
        'O uso do site: quais páginas são abertas e por quanto tempo, sem seu nome, sem o que você digita e sem endereços completos de páginas.',
      ],
      [
        'O que nunca guardamos',
        'O número e o código de segurança do seu cartão seguem direto para o provedor de pagamento e não são armazenados nem registrados por nós.',
      ],
      [
        'Para que usamos',
        'Para prestar o serviço que você paga, receber e devolver pagamentos, proteger contas contra uso indevido, cumprir obrigações fiscais e contábeis e, se você concordou, enviar ofertas. Você pode desligar as ofertas na sua conta quando quiser.',
      ],
      [
        'Quem mais vê',
        'Provedores de pagamento e bancos recebem o que o pagamento exige. Empresas que operam nossos servidores e enviam nossos e-mails seguem nossas instruções. Autoridades recebem dados apenas quando a lei obriga. Não vendemos seus dados.',
      ],
      [
        'Por quanto tempo guardamos',
        'Dados da conta, enquanto a conta existir. Registros de compra, pelo prazo da legislação fiscal. As sessões terminam após 10 dias.',
      ],
      [
        'Seus direitos',
        'Pela LGPD, você pode pedir uma cópia dos seus dados, corrigi-los, apagá-los, opor-se ao uso ou levá-los para outro serviço. Escreva para {mail}; respondemos em até 15 dias. Você também pode procurar a ANPD.',
      ],
      [
        'No seu aparelho',
        'Este site não usa cookies. Ele guarda no aparelho seu idioma, sua sessão e uma cópia dos planos e pedidos, para abrir sem conexão. Ao sair da conta, o que é seu é apagado.',
      ],
    ],
  },
  terms: {
    title: 'Termos de Uso',
    sections: [
      [
        'O serviço',
        '{name} é um reprodutor de mídia pessoal para celulares Android, TV box e Smart TV. Um plano dá acesso por um número de dias e em um número de aparelhos ao mesmo tempo. Ele não inclui filmes, séries ou canais: você reproduz aquilo a que tem direito.',
      ],
      [
        'Sua conta',
        'É preciso ter uma conta para comprar. Informe um endereço verdadeiro, não compartilhe sua senha e avise se outra pessoa a usar. A conta é para você e sua casa.',
      ],
      [
        'Preços e pagamento',
        'O preço que você confirma antes de pagar é o preço que você paga, com os juros do parcelamento mostrados ao lado. Quando há um prazo para pagar, o pagamento precisa chegar antes dele; depois disso o pedido expira e você pode pagá-lo de novo.',
      ],
      [
        'Duração',
        'O acesso começa quando o pagamento chega. Um plano comprado enquanto outro está ativo soma seus dias aos que restam. O plano termina sozinho.',
      ],
      [
        'Arrependimento',
        'Você pode desistir da compra em até 7 dias, como garante o Código de Defesa do Consumidor. Escreva para {mail} com o número do pedido; o dinheiro volta pelo mesmo caminho.',
      ],
      [
        'O que não é permitido',
        'Revender o acesso, burlar o limite de aparelhos, prejudicar o serviço ou usá-lo para violar direitos de outros. Nesses casos podemos suspender a conta, explicando o motivo.',
      ],
      [
        'Nossa responsabilidade',
        'Cuidamos para que o serviço funcione. Se ele falhar por mais de um dia, somamos o tempo perdido ao seu plano. Nada aqui limita os direitos que a lei dá ao consumidor.',
      ],
    ],
  },
};
