;
select 1; -- a comment; with the delimiter
insert into t values ('a;b', "it''s", `c;d`) /* ; */ ;
delimiter //
create procedure p() begin select 1; select 2; end //
delimiter ;
/*!50000 set @a = ';' */; # end
select 'it\'s'
